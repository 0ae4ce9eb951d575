import type { FetchedBooking, StatusGroup } from '@waiver-service/core';
import {
  definedFields,
  finishNativeBooking,
  type JsonObject,
  objectOf,
  Reading,
  requiredText,
  statusGroupOf,
  textOf,
  vendorContact,
  warnOfUnknownStatus,
} from '@waiver-service/plugin-kit';
import { readGuests, warnOfUncountedGuests } from './guests.ts';
import { type LinePeople, readPeople } from './people.ts';
import { readSessions } from './sessions.ts';
import type { CheckfrontBooking, CheckfrontLine } from './shapes.ts';

/** Checkfront's built-in statuses; an account may define others. */
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

export const isCancelled = (status: string): boolean => statusGroupOf(statusMap, status) === 'cancelled';

const statusOfLine = ({ status }: CheckfrontLine): string => textOf(status)?.toUpperCase() ?? '';

/** A booking's status; its lines' if all of them were removed one by one. */
export function statusOf({ status, lines }: CheckfrontBooking): unknown {
  const statuses = lines.map(statusOfLine);
  const [first] = statuses;
  const areAllRemoved = first !== undefined && statuses.every(isCancelled);
  return areAllRemoved && !isCancelled(textOf(status) ?? '') ? first : status;
}

/** All lines of a cancelled booking; otherwise, the lines that are not cancelled. */
function activeLines(reading: Reading, { lines }: CheckfrontBooking, status: string): CheckfrontLine[] {
  return lines.filter((line) => {
    const { path } = line;
    const lineStatus = statusOfLine(line);
    if (isCancelled(status)) return true;
    if (!isCancelled(lineStatus)) {
      const meaning = 'its people are expected';
      if (lineStatus !== '' && lineStatus !== status) {
        warnOfUnknownStatus(reading, statusMap, { status: lineStatus, path: `${path}.status`, meaning });
      }
      return true;
    }
    reading.warn('item_skipped', path, `${path} is ${lineStatus}: it is not a session and counts no people`);
    return false;
  });
}

/** The account's custom fields (`fields`, `meta`), without the customer's. */
function readCustomFields({ fields, meta }: JsonObject): Record<string, unknown> {
  const groups = Object.entries({ fields, meta }).map(([name, group]) => {
    const texts = Object.entries(objectOf(group))
      .filter(([field]) => !field.startsWith('customer_'))
      .map(([field, value]) => [field, textOf(value)]);
    return [name, definedFields(Object.fromEntries(texts))] as const;
  });
  return Object.fromEntries(groups.filter(([, group]) => Object.keys(group).length > 0));
}

function sumByParameter(people: readonly LinePeople[]): Record<string, number> | undefined {
  const sums = new Map<string, number>();
  for (const [id, count] of people.flatMap(({ byParameter }) => [...byParameter])) {
    sums.set(id, (sums.get(id) ?? 0) + count);
  }
  return sums.size === 0 ? undefined : Object.fromEntries(sums);
}

/**
 * Reads a booking in any of Checkfront's shapes, and its guests, which no shape contains. Throws
 * InvalidBookingResponse.
 */
export function readBooking(
  found: CheckfrontBooking,
  bookingId: string,
  guestParameters?: readonly string[],
  listedGuests: readonly unknown[] = [],
): FetchedBooking {
  const reading = new Reading();
  const status = requiredText(reading, statusOf(found), 'status');
  const timed = readSessions(reading, activeLines(reading, found, status), found, guestParameters);
  const people = timed.map(({ line }) => readPeople(reading, line, guestParameters));
  const pax = people.reduce((sum, { count }) => sum + count, 0);
  const guests = readGuests(reading, listedGuests);
  warnOfUncountedGuests(reading, guests, pax);
  const booking = {
    id: requiredText(reading, found.code, 'code'),
    status,
    contact: vendorContact(reading, found.contact, 'customer'),
    pax,
    guests,
    bookedSessions: timed.map(({ session }) => session),
    ...readCustomFields(found.whole),
    param: sumByParameter(people),
  };
  return finishNativeBooking(
    reading,
    booking,
    { bookingId, idPath: 'booking.id', withoutSession },
    statusMap,
  );
}
