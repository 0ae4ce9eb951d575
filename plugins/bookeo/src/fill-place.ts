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
import { changesBetween, withNewPerson } from './booking-update.ts';
import { requestBooking } from './fetch-booking.ts';
import { namesOf } from './names.ts';
import { customerOf, isKnown, participantsOf } from './native/participants.ts';
import type { Context } from './settings.ts';
import { isWaiverField, withWaiver } from './waiver-field.ts';

// Nobody is told of the change by mail or SMS. As a manager's, it is taken also when customers may not change the
// booking any more, as shortly before it begins.
const quietly = { notifyUsers: 'false', notifyCustomer: 'false', mode: 'backend' };

// The account's field as Bookeo names it, by id and name, where anyone in the booking has it.
function emptyField(booking: JsonObject, waiverField: string): JsonObject {
  const field = [customerOf(booking), ...participantsOf(booking)]
    .flatMap(({ person }) => objectsIn(person.customFields))
    .find((one) => isWaiverField(one, waiverField));
  return field === undefined ? {} : { customFields: [{ ...field, value: '' }] };
}

const partly = (message: string): Warning => ({ code: 'waiver_partly_written', message });

/**
 * Puts a new person with the waiver's line into a place that has nobody, and reads the booking again: Bookeo's
 * documents do not say what such a change answers.
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
  const response = await context.http.put(address, body, { params: quietly });
  const nameless = Object.keys(names).length === 0 ? ', from a person without a name: share `name`' : '';
  const system = `Bookeo (custom field ${quoted(waiverField)}${nameless})`;
  raiseForRefusedWaiver(response, system, textOf(objectOf(response.data).message));
  const after = await requestBooking(context, waiver.bookingId).catch(rejectNotFound);
  const slot = waiver.bookingGuestId;
  const place = participantsOf(after).find((one) => one.slot === slot);
  const isFilled = place !== undefined && place.personId !== 'PUNKNOWN';
  if (!isFilled || (isKnown(place.person) && withWaiver(place.person, waiverField, waiver))) {
    const message = `${system} took the change and did not keep the waiver: is it a field for participants?`;
    throw new WaiverRejected(message, { retry: 'three-tries', upstreamStatus: response.status });
  }
  const changes = changesBetween(booking, after, slot);
  return {
    accepted: true,
    warnings: [
      ...(isKnown(place.person)
        ? []
        : [
            partly(
              'Bookeo shows nothing of the new participant: allow our application to read linked people',
            ),
          ]),
      ...(changes.length === 0
        ? []
        : [
            partly(
              `the booking has another ${changes.join(', ')} than before the waiver: look at it in Bookeo`,
            ),
          ]),
    ],
  };
}
