import { type AcceptedWaiver, type Waiver, WaiverRejected, type Warning } from '@waiver-service/core';
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
import { unintendedChanges, withNewPerson } from './booking-update.ts';
import { requestBooking } from './fetch-booking.ts';
import { namesOf } from './names.ts';
import { customerOf, isKnown, participantsOf } from './native/participants.ts';
import type { Context } from './settings.ts';
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

const partlyWritten = (message: string): Warning => ({ code: 'waiver_partly_written', message });

/**
 * Puts a new person with the waiver's line into an empty place, and reads the booking again to verify the result:
 * Bookeo does not document the response to such a change.
 */
export async function fillPlace(
  context: Context,
  booking: JsonObject,
  index: number,
  waiver: Waiver,
): Promise<AcceptedWaiver> {
  const { waiverField } = context.account;
  const names = namesOf(waiver);
  const person = {
    ...names,
    customFields: withWaiver(emptyField(booking, waiverField), waiverField, waiver),
  };
  const address = `bookings/${percentEncode(waiver.bookingId)}`;
  const body = withNewPerson(booking, index, person);
  const response = await context.http.put(address, body, { params: updateParams });
  const nameless = Object.keys(names).length === 0 ? ', from a person without a name: share `name`' : '';
  const system = `Bookeo (custom field ${quoted(waiverField)}${nameless})`;
  raiseForRefusedWaiver(response, system, textOf(objectOf(response.data).message));
  const after = await requestBooking(context, waiver.bookingId).catch(rejectNotFound);
  const slot = waiver.bookingGuestId;
  const place = participantsOf(after).find((one) => one.slot === slot);
  const isFilled = place !== undefined && place.personId !== 'PUNKNOWN';
  if (!isFilled || (isKnown(place.person) && withWaiver(place.person, waiverField, waiver))) {
    const message = `${system} took the change and did not keep the waiver: is it a field for participants?`;
    throw new WaiverRejected(message, { retry: 'three-attempts', upstreamStatus: response.status });
  }
  const warnings: Warning[] = [];
  if (!isKnown(place.person)) {
    warnings.push(
      partlyWritten(
        'Bookeo shows nothing of the new participant: allow our application to read linked people',
      ),
    );
  }
  const changes = unintendedChanges(booking, after, slot);
  if (changes.length > 0) {
    warnings.push(
      partlyWritten(
        `the booking has another ${changes.join(', ')} than before the waiver: look at it in Bookeo`,
      ),
    );
  }
  return { accepted: true, warnings };
}
