import type { PushedWaiver, Waiver } from '@waiver-service/core';
import {
  type JsonObject,
  objectOf,
  objectsIn,
  quoted,
  raiseForRefusedWaiver,
  rejectNotFound,
  textOf,
  withNoteLine,
} from '@waiver-service/plugin-kit';
import { askForBooking } from './fetch-booking.ts';
import { customerOf, participantsOf } from './native/participants.ts';
import type { Context } from './settings.ts';

// What Bookeo counts or keeps by itself.
const readOnly = /^(id|customerId|creationTime|startTimeOf.+|credit|num[A-Z].+|member|membershipEnd)$/;

/**
 * The person as Bookeo is to have them, or `undefined` where nothing changes. All else that Bookeo told goes back as it
 * came: whether a change may leave a field out, its documents do not say.
 */
function changed(person: JsonObject, waiverField: string, waiver: Waiver): JsonObject | undefined {
  const isOurs = (name: unknown) => textOf(name)?.toLowerCase() === waiverField.toLowerCase();
  const fields = objectsIn(person.customFields);
  const field = fields.find(({ id, name }) => isOurs(id) || isOurs(name)) ?? { name: waiverField };
  const before = typeof field.value === 'string' ? field.value : '';
  const value = withNoteLine(before, waiver);
  if (value === before) return undefined;
  const customFields = [...fields.filter((one) => one !== field), { ...field, value }];
  const kept = Object.entries(person).filter(([name, inner]) => !readOnly.test(name) && inner !== null);
  return { ...Object.fromEntries(kept), customFields };
}

/**
 * Keeps one line for the waiver with the person who holds its place in the booking, and takes it from everyone else,
 * since a place may have gone to another person. A void takes it from all. Where nobody is known for the place, nobody
 * else's record says so instead, least of all the customer's, who may read what a guest answered.
 */
export async function writeWaiverLine(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const { waiverField } = context.account;
  const booking = await askForBooking(context, waiver.bookingId).catch(rejectNotFound);
  const participants = participantsOf(booking);
  const signer = participants.find(({ slot }) => slot && slot === waiver.bookingGuestId)?.address;
  // Each person once: one may hold several places.
  const people = new Map([customerOf(booking), ...participants].map((one) => [one.address, one.person]));
  for (const [address, person] of people) {
    const line = address === signer ? waiver : { ...waiver, deleted: true };
    const body = address && changed(person, waiverField, line);
    if (!address || !body) continue;
    const response = await context.http.put(address, body);
    const name = `Bookeo (custom field ${quoted(waiverField)})`;
    raiseForRefusedWaiver(response, name, textOf(objectOf(response.data).message));
  }
  if (signer || waiver.deleted) return { accepted: true, warnings: [] };
  const place = quoted(waiver.bookingGuestId ?? '');
  const message = `Bookeo names nobody in the place ${place} whom we may change: nothing was written there`;
  const warning = { code: 'waiver_partly_written', path: 'participants.details', message } as const;
  return { accepted: true, warnings: [warning] };
}
