import { type PushedWaiver, type Waiver, WaiverRejected, type Warning } from '@waiver-service/core';
import {
  type JsonObject,
  objectOf,
  objectsIn,
  percentEncode,
  quoted,
  raiseForRefusedWaiver,
  rejectNotFound,
  textOf,
} from '@waiver-service/plugin-kit';
import { customerOf, isKnown, isVacant, participantsOf } from '../read/participants.ts';
import { requestBooking } from '../read.ts';
import type { Context } from '../settings.ts';
import { unintendedChanges, withNewPerson } from './booking-update.ts';
import { namesOf } from './names.ts';
import { isWaiverField, withWaiver } from './waiver-field.ts';

// No notifications by mail or SMS. `backend` makes changes as a manager, which is possible even when customers can no
// longer change the booking, for example shortly before it begins.
const updateParams = { notifyUsers: 'false', notifyCustomer: 'false', mode: 'backend' };

// The waiver field with Bookeo's own id and name, if anyone in the booking has it.
function emptyField(booking: JsonObject, waiverField: string): JsonObject {
  const field = [customerOf(booking), ...participantsOf(booking)]
    .flatMap(({ person }) => objectsIn(person.customFields))
    .find((one) => isWaiverField(one, waiverField));
  return field === undefined ? {} : { customFields: [{ ...field, value: '' }] };
}

/** Bookeo's name in messages, with a hint at the cause if it refuses the change. */
function systemIn({ account }: Context, isNameless: boolean): string {
  const hint = isNameless ? ', from a person without a name: share `name`' : '';
  return `Bookeo (custom field ${quoted(account.waiverField)}${hint})`;
}

export const partlyWritten = (message: string): Warning => ({ code: 'waiver_partly_written', message });

/**
 * Puts a new person with the waiver's line into an empty place, and reads the booking again to verify the result:
 * Bookeo does not document the response to such a change, and documents a person's details for new bookings only. If
 * our key may not read the new person, the line cannot be verified and does not count as written.
 * @param index - the place's position among the participants' details
 */
export async function fillPlace(
  context: Context,
  booking: JsonObject,
  index: number,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const { waiverField } = context.account;
  const { bookingId, bookingGuestId: slot } = waiver;
  const names = namesOf(waiver);
  const customFields = withWaiver(emptyField(booking, waiverField), waiverField, waiver);
  const body = withNewPerson(booking, index, { ...names, customFields });
  const address = `bookings/${percentEncode(bookingId)}`;
  const response = await context.http.put(address, body, { params: updateParams });
  const system = systemIn(context, Object.keys(names).length === 0);
  raiseForRefusedWaiver(response, system, textOf(objectOf(response.data).message));

  const bookingAfter = await requestBooking(context, bookingId).catch(rejectNotFound);
  const place = participantsOf(bookingAfter).find((one) => one.slot === slot);
  const isStored =
    place !== undefined &&
    !isVacant(place) &&
    (!isKnown(place.person) || withWaiver(place.person, waiverField, waiver) === undefined);
  if (!isStored) {
    const message = `${system} took the change and did not keep the waiver: is it a field for participants?`;
    throw new WaiverRejected(message, { retry: 'three-attempts', upstreamStatus: response.status });
  }

  const warnings: Warning[] = [];
  const changes = unintendedChanges(booking, bookingAfter, slot);
  if (changes.length > 0) {
    const message = `the booking has another ${changes.join(', ')} than before the waiver: look at it in Bookeo`;
    warnings.push(partlyWritten(message));
  }
  if (isKnown(place.person)) return { accepted: true, warnings };
  const reason =
    'Bookeo filled the place and shows nothing of the new participant, so it is unknown whether the waiver was kept: look at the booking in Bookeo, and allow our application to read linked people';
  return { accepted: false, reason, warnings };
}
