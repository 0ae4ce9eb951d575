import type { PushedWaiver, Waiver } from '@waiver-service/core';
import {
  type JsonObject,
  objectOf,
  quoted,
  raiseForRefusedWaiver,
  rejectNotFound,
  textOf,
} from '@waiver-service/plugin-kit';
import { reasonNotToChange } from './booking-update.ts';
import { requestBooking } from './fetch-booking.ts';
import { fillPlace } from './fill-place.ts';
import { isNameless, namesOf } from './names.ts';
import { customerOf, type Participant, participantsOf } from './native/participants.ts';
import type { Context } from './settings.ts';
import { withWaiver } from './waiver-field.ts';

// Fields that Bookeo maintains itself.
const readOnly = /^(id|customerId|creationTime|startTimeOf.+|credit|num[A-Z].+|member|membershipEnd)$/;

/**
 * The person with the waiver's line, and with the shared name if they have none; `undefined` if nothing changes. All
 * other fields are sent back unchanged: Bookeo does not document whether a change may omit fields.
 */
function changed(person: JsonObject, waiverField: string, waiver: Waiver): JsonObject | undefined {
  const customFields = withWaiver(person, waiverField, waiver);
  if (customFields === undefined) return undefined;
  const kept = Object.entries(person).filter(([name, inner]) => !readOnly.test(name) && inner !== null);
  const names = isNameless(person) && !waiver.deleted ? namesOf(waiver) : {};
  return { ...Object.fromEntries(kept), ...names, customFields };
}

function reasonNotToWrite(booking: JsonObject, place: Participant | undefined, guestId = ''): string {
  if (!place) return `Bookeo has no place ${quoted(guestId)} in the booking`;
  const { personId } = place;
  return personId === 'PUNKNOWN'
    ? `Bookeo names nobody in the place ${quoted(guestId)}, and ${reasonNotToChange(booking)}`
    : `our key may not change who holds the place ${quoted(guestId)}: allow our application to read and change customers and linked people`;
}

/**
 * Writes the waiver's line to the person who holds its place in the booking, and removes it from everyone else, since the
 * place may have changed hands. A void removes it from everyone. An empty place gets a new person. If that is not
 * possible, the line is not written to another record instead, such as the customer's: the customer could then read a
 * guest's answers.
 */
export async function writeWaiverLine(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const { waiverField } = context.account;
  const booking = await requestBooking(context, waiver.bookingId).catch(rejectNotFound);
  const participants = participantsOf(booking);
  const index = participants.findIndex(({ slot }) => slot && slot === waiver.bookingGuestId);
  const place = participants[index];
  // By address, since one person may hold several places.
  const people = new Map([customerOf(booking), ...participants].map((one) => [one.address, one.person]));
  let isAnyoneChanged = false;
  for (const [address, person] of people) {
    const line = address === place?.address ? waiver : { ...waiver, deleted: true };
    const body = address && changed(person, waiverField, line);
    if (!address || !body) continue;
    const response = await context.http.put(address, body);
    const name = `Bookeo (custom field ${quoted(waiverField)})`;
    raiseForRefusedWaiver(response, name, textOf(objectOf(response.data).message));
    isAnyoneChanged = true;
  }
  const hasNobody = place === undefined || place.personId === 'PUNKNOWN';
  if (place?.address || (waiver.deleted && hasNobody)) return { accepted: true, warnings: [] };
  if (place && hasNobody && reasonNotToChange(booking) === undefined) {
    return fillPlace(context, booking, index, waiver);
  }
  const reason = reasonNotToWrite(booking, place, waiver.bookingGuestId);
  if (!isAnyoneChanged) return { accepted: false, reason, warnings: [] };
  const message = `${reason}; the waiver was taken from who held it before`;
  return { accepted: true, warnings: [{ code: 'waiver_partly_written', message }] };
}
