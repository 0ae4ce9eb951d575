import type { Guest } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';

/** One participant of an item: Rezdy keeps labels and values, and no id. */
export interface Participant {
  /** By place, since there is nothing else: the item and the participant in it, from 1. */
  readonly id: string;
  readonly path: string;
  readonly fields: readonly kit.JsonObject[];
}

/** The place of an item in its booking, from 1, as a participant's id begins. */
const placeOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0) + 1;

/** The participants of one item. */
export function participantsOf({ value, path }: kit.ListedObject): readonly Participant[] {
  return kit.objectsIn(value.participants).map(({ fields }, index) => ({
    id: `${placeOf(path)}-${index + 1}`,
    path: `${path}.participants[${index}]`,
    fields: kit.objectsIn(fields),
  }));
}

const plain = (label: unknown) =>
  String(label)
    .toLowerCase()
    .replace(/[^a-z]/g, '');

/** A participant as a guest. A field that nobody filled in has a label and no value. */
export function readGuest(reading: kit.Reading, { id, path, fields }: Participant): Guest {
  const filled = fields.map(({ label, value }) => ({ label: plain(label), value: kit.textOf(value) }));
  const answer = (...labels: readonly string[]) =>
    filled.find(({ label, value }) => labels.includes(label) && value !== undefined)?.value;
  const person = kit.vendorPerson({
    fullName: answer('fullname', 'name'),
    firstName: answer('firstname', 'givenname'),
    lastName: answer('lastname', 'surname', 'familyname'),
    email: answer('email', 'emailaddress'),
    phoneNumber: answer('phone', 'phonenumber', 'mobile', 'mobilephone'),
  });
  return kit.vendorGuest(reading, { id, ...person }, path);
}
