import type { Guest } from '@waiver-service/core';
import { isJsonObject, type JsonObject, objectOf, objectsIn, textOf } from '@waiver-service/plugin-kit';

// Only scalar values can be pre-filled.
const scalarsOf = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );

// Ids mean nothing to readers.
const objectId = /^[0-9a-f]{24}$/i;

/** A guest's demographic, with its label from the item's list of demographics. */
function demographicOf(guest: JsonObject, item: JsonObject): JsonObject {
  const own = isJsonObject(guest.demographic) ? guest.demographic : { label: guest.demographic };
  const listed = objectsIn(item.demographics)
    .map((one) => ({ ...one, ...objectOf(one.demographic) }) as JsonObject)
    .find(({ id }) => textOf(id) !== undefined && textOf(id) === textOf(own.id));
  const label = textOf(own.label) ?? textOf(listed?.label);
  return { ...scalarsOf(own), ...(label === undefined ? {} : { label }) };
}

function participantTypeOf({ label, id }: JsonObject): string | undefined {
  const word = textOf(label) ?? textOf(id);
  if (word === undefined || objectId.test(word)) return undefined;
  if (/^adults?$/i.test(word)) return 'adult';
  return /^(child(ren)?|kids?)$/i.test(word) ? 'child' : word;
}

/** The guests of an item. Orders usually have no names. */
export const readGuests = (item: JsonObject): Guest[] =>
  objectsIn(item.guests).map((guest) => {
    const demographic = demographicOf(guest, item);
    return {
      ...scalarsOf(guest),
      id: textOf(guest.id),
      name: textOf(guest.name),
      email: textOf(guest.email),
      phoneNumber: textOf(guest.phoneNumber),
      demographic: Object.keys(demographic).length > 0 ? demographic : undefined,
      participantType: participantTypeOf(demographic),
    };
  });
