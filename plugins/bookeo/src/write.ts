import { InvalidBookingResponse, type PushedWaiver, type Waiver, type Warning } from '@waiver-service/core';
import { isJsonObject, type JsonObject, quoted, rejectNotFound, textOf } from '@waiver-service/plugin-kit';
import { isVacant, participantsOf } from './read/participants.ts';
import { requestBooking } from './read.ts';
import type { Context } from './settings.ts';
import { reasonNotToChange } from './write/booking-update.ts';
import { fillPlace, partlyWritten } from './write/fill-place.ts';
import {
  findLosses,
  hasUnclearLines,
  type Losses,
  updatePeople,
  type WrittenPeople,
} from './write/update-people.ts';

/** Throws unless the answer is a booking: without participants, a void that removed nothing would pass. */
function requireBooking({ bookingNumber, participants }: JsonObject): void {
  const problems = [
    ...(textOf(bookingNumber) === undefined ? [{ path: 'bookingNumber', message: 'is missing' }] : []),
    ...(isJsonObject(participants) ? [] : [{ path: 'participants', message: 'is missing' }]),
  ];
  if (problems.length > 0) throw new InvalidBookingResponse('the answer is not a booking', problems);
}

async function readBooking(context: Context, bookingId: string): Promise<JsonObject> {
  const booking = await requestBooking(context, bookingId).catch(rejectNotFound);
  requireBooking(booking);
  return booking;
}

/** Reads the booking again if anyone was changed: a 200 does not say what Bookeo stored. */
async function verifyPeople(context: Context, waiver: Waiver, written: WrittenPeople): Promise<Losses> {
  if (written.size === 0) return { isLineLost: false, isLineLeft: false, fields: [] };
  const bookingAfter = await readBooking(context, waiver.bookingId);
  return findLosses(bookingAfter, context.account.waiverField, waiver, written);
}

const left =
  'Bookeo took the change and left the waiver’s line with a person of the booking: take it out there by hand';
const unclear =
  'a person of the booking has a line of the waiver from before lines named their booking, and it may be of another one: if not, take it out there by hand';

const warningsOf = ({ isLineLeft, fields }: Losses, deleted: boolean): Warning[] => [
  ...(isLineLeft && !deleted ? [partlyWritten(left)] : []),
  ...(fields.length > 0
    ? [
        partlyWritten(
          `with the waiver’s line, other fields of a person changed (${fields.join(', ')}): look at who takes part in the booking in Bookeo`,
        ),
      ]
    : []),
];

/**
 * Writes the waiver's line to the person who holds its place in the booking; a void removes it from everyone. An empty
 * place gets a new person. If neither is possible, the line is not written elsewhere, such as to the customer, who
 * could then read a guest's answers. Only a line that the booking shows afterwards counts as written.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const { bookingId, bookingGuestId, deleted } = waiver;
  const booking = await readBooking(context, bookingId);
  const places = participantsOf(booking);
  const place = places.find(({ slot }) => slot !== undefined && slot === bookingGuestId);
  const written = await updatePeople(context, booking, place?.address, waiver);
  const losses = await verifyPeople(context, waiver, written);

  const { waiverField } = context.account;
  const warnings = warningsOf(losses, deleted);
  if (deleted && losses.isLineLeft) return { accepted: false, reason: left, warnings };
  if (deleted && hasUnclearLines(booking, waiverField, waiver)) {
    return { accepted: false, reason: unclear, warnings };
  }
  const accepted: PushedWaiver = { accepted: true, warnings };
  const isTaken = !losses.isLineLeft && [...written.values()].some(({ hasLine }) => !hasLine);
  const notWritten = (reason: string): PushedWaiver => {
    const taken = isTaken ? '; the waiver was taken from who held it before' : '';
    return { accepted: false, reason: `${reason}${taken}`, warnings };
  };

  const guest = quoted(bookingGuestId ?? '');
  if (losses.isLineLost) {
    return notWritten(
      `Bookeo took the change and does not show the waiver in the custom field ${quoted(waiverField)} of who holds the place ${guest}: note the waiver by hand, and check that it is a field of customers and participants`,
    );
  }
  if (place === undefined) {
    return deleted ? accepted : notWritten(`Bookeo has no place ${guest} in the booking`);
  }
  if (place.address !== undefined) return accepted;
  if (!isVacant(place)) {
    return notWritten(
      `our key may not change who holds the place ${guest}: allow our application to read and change customers and linked people`,
    );
  }
  if (deleted) return accepted;
  const obstacle = reasonNotToChange(booking);
  if (obstacle !== undefined) {
    return notWritten(`Bookeo has no person in the place ${guest}, and ${obstacle}`);
  }
  const filled = await fillPlace(context, booking, places.indexOf(place), waiver);
  return { ...filled, warnings: [...warnings, ...filled.warnings] };
}
