import type { Guest } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';

/** One participant of an item: Rezdy keeps labels and values, and no id. */
export interface Participant {
  /** By place, since there is nothing else: the item and the participant in it, from 1. */
  readonly id: string;
  readonly path: string;
  readonly fields: readonly kit.JsonObject[];
}

/** The labels by which Rezdy's accounts name what the contract knows; see {@link plainLabel}. */
export const personLabels = {
  fullName: ['fullname', 'name'],
  firstName: ['firstname', 'givenname'],
  lastName: ['lastname', 'surname', 'familyname'],
  email: ['email', 'emailaddress'],
  phoneNumber: ['phone', 'phonenumber', 'mobile', 'mobilephone'],
} as const;

/** A label as it is compared: `First Name` is `firstname`. */
export const plainLabel = (label: unknown): string =>
  String(label)
    .toLowerCase()
    .replace(/[^a-z]/g, '');

/** The place of an item in its booking, from 1, as a participant's id begins. */
const placeOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0) + 1;

/** The participants of one item. */
export function participantsOf({ value, path }: kit.ListedObject): readonly Participant[] {
  const list: readonly unknown[] = Array.isArray(value.participants) ? value.participants : [];
  return list.flatMap((participant, index) => {
    if (!kit.isJsonObject(participant)) return [];
    const place = { id: `${placeOf(path)}-${index + 1}`, path: `${path}.participants[${index}]` };
    return [{ ...place, fields: kit.objectsIn(participant.fields) }];
  });
}

/** The person that a participant's fields name. A field that nobody filled in has a label and no value. */
export function personOf(fields: readonly kit.JsonObject[]): kit.Person {
  const filled = fields.map(({ label, value }) => ({ label: plainLabel(label), value: kit.textOf(value) }));
  const answer = (labels: readonly string[]) =>
    filled.find(({ label, value }) => labels.includes(label) && value !== undefined)?.value;
  return kit.vendorPerson({
    fullName: answer(personLabels.fullName),
    firstName: answer(personLabels.firstName),
    lastName: answer(personLabels.lastName),
    email: answer(personLabels.email),
    phoneNumber: answer(personLabels.phoneNumber),
  });
}

/** Every field that is filled in, under its own label; of a label that comes twice, the first. */
function answersOf(fields: readonly kit.JsonObject[]): kit.JsonObject {
  const filled = fields.flatMap(({ label, value }) => {
    const [name, answer] = [kit.textOf(label), kit.textOf(value)];
    return name === undefined || answer === undefined ? [] : [[name, answer] as const];
  });
  return Object.fromEntries(filled.toReversed());
}

/**
 * What kind of participants an item has: `adult` or `child`, or the vendor's word. Rezdy does not say which of its
 * participants is which, so only where all of them are of one kind.
 */
function participantTypeOf({ quantities }: kit.JsonObject): string | undefined {
  const [label, ...others] = kit.objectsIn(quantities).map(({ optionLabel }) => kit.textOf(optionLabel));
  if (label === undefined || others.length > 0) return undefined;
  const plain = plainLabel(label);
  if (/^adults?$/.test(plain)) return 'adult';
  return /^child(ren)?$/.test(plain) ? 'child' : label;
}

/** The participants of one item as guests, with all that their fields say. */
export function readGuests(item: kit.ListedObject): Guest[] {
  const participantType = participantTypeOf(item.value);
  return participantsOf(item).map(({ id, fields }) => ({
    ...answersOf(fields),
    participantType,
    ...personOf(fields),
    id,
  }));
}
