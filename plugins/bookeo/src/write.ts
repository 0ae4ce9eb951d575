import { InvalidBookingResponse, type PushedWaiver, type Waiver } from '@waiver-service/core';
import { isJsonObject, type JsonObject, quoted, rejectNotFound, textOf } from '@waiver-service/plugin-kit';
import { isVacant, participantsOf } from './read/participants.ts';
import { requestBooking } from './read.ts';
import type { Context } from './settings.ts';
import { reasonNotToChange } from './write/booking-update.ts';
import { fillPlace, partlyWritten } from './write/fill-place.ts';
import { findLostLines, updatePeople, type WrittenLines } from './write/update-people.ts';

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

/** Reads the booking again if any lines were written: a 200 does not say that Bookeo stored them. */
async function verifyPeople(context: Context, bookingId: string, written: WrittenLines) {
  if (written.size === 0) return { isLost: false, isLeft: false };
  const bookingAfter = await readBooking(context, bookingId);
  return findLostLines(bookingAfter, context.account.waiverField, written);
}

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
  const { isLost, isLeft } = await verifyPeople(context, bookingId, written);

  const left =
    'Bookeo took the change and left the waiver’s line with a person of the booking: take it out there by hand';
  if (isLeft && deleted) return { accepted: false, reason: left, warnings: [] };
  const warnings = isLeft ? [partlyWritten(left)] : [];
  const accepted: PushedWaiver = { accepted: true, warnings };
  const isTaken = !isLeft && [...written.values()].some((version) => version.deleted);
  const notWritten = (reason: string): PushedWaiver => {
    const taken = isTaken ? '; the waiver was taken from who held it before' : '';
    return { accepted: false, reason: `${reason}${taken}`, warnings };
  };

  const guest = quoted(bookingGuestId ?? '');
  if (isLost) {
    const field = quoted(context.account.waiverField);
    return notWritten(
      `Bookeo took the change and does not show the waiver in the custom field ${field} of who holds the place ${guest}: note the waiver by hand, and check that it is a field of customers and participants`,
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
