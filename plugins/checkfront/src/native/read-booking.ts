import type { FetchedBooking, StatusGroup } from '@waiver-service/core';
import {
  finishNativeBooking,
  Reading,
  requiredText,
  statusGroupOf,
  textOf,
  vendorContact,
} from '@waiver-service/plugin-kit';
import { readOwnFields } from './own-fields.ts';
import { type LinePeople, readPeople } from './people.ts';
import { readSessions } from './sessions.ts';
import type { CheckfrontBooking, CheckfrontLine } from './shape.ts';

/** What Checkfront's own statuses mean; an account may have others. */
export const statusMap: Record<string, StatusGroup> = {
  PAID: 'active',
  PART: 'active',
  PEND: 'other',
  HOLD: 'other',
  WAIT: 'other',
  STOP: 'cancelled',
  VOID: 'cancelled',
};

const withoutSession =
  'no item of the Checkfront booking has a time, and neither has the booking, so it has no session: give it a date in Checkfront';

const isCancelled = (status: string) => statusGroupOf(statusMap, status) === 'cancelled';

/** The lines that stand: those taken out of a booking that goes on are none. A cancelled booking keeps what it had. */
function standingLines(reading: Reading, { lines }: CheckfrontBooking, status: string): CheckfrontLine[] {
  return lines.filter(({ path, status: found }) => {
    const lineStatus = textOf(found)?.toUpperCase() ?? '';
    if (isCancelled(status) || !isCancelled(lineStatus)) return true;
    reading.warn('item_skipped', path, `${path} is ${lineStatus}: it is no session and counts nobody`);
    return false;
  });
}

function sumByParameter(people: readonly LinePeople[]): Record<string, number> | undefined {
  const sums = new Map<string, number>();
  for (const [id, count] of people.flatMap(({ byParameter }) => [...byParameter])) {
    sums.set(id, (sums.get(id) ?? 0) + count);
  }
  return sums.size === 0 ? undefined : Object.fromEntries(sums);
}

/** Reads a booking of Checkfront's, in whichever shape it came. Throws InvalidBookingResponse. */
export function readBooking(
  found: CheckfrontBooking,
  bookingId: string,
  guestParameters?: readonly string[],
): FetchedBooking {
  const reading = new Reading();
  const status = requiredText(reading, found.status, 'status');
  const timed = readSessions(reading, standingLines(reading, found, status), found);
  const people = timed.map(({ line }) => readPeople(reading, line, guestParameters));
  const booking = {
    id: requiredText(reading, found.code, 'code'),
    status,
    contact: vendorContact(reading, found.contact, 'customer'),
    pax: people.reduce((sum, { count }) => sum + count, 0),
    // API v3 knows nobody but the customer.
    guests: [],
    bookedSessions: timed.map(({ session }) => session),
    ...readOwnFields(found.whole),
    param: sumByParameter(people),
  };
  return finishNativeBooking(
    reading,
    booking,
    { bookingId, idPath: 'booking.id', withoutSession },
    statusMap,
  );
}
