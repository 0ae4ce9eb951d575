import type { Guest } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';

/** A participant of an item. */
export interface Participant {
  /** The positions of the item and of the participant in it, from 1: Rezdy's participants have no id. */
  readonly id: string;
  readonly path: string;
  readonly fields: readonly kit.JsonObject[];
}

/** The labels of a participant's name and contact fields, normalized by {@link plainLabel}. */
export const personLabels = {
  fullName: ['fullname', 'name'],
  firstName: ['firstname', 'givenname'],
  lastName: ['lastname', 'surname', 'familyname'],
  email: ['email', 'emailaddress'],
  phoneNumber: ['phone', 'phonenumber', 'mobile', 'mobilephone'],
} as const;

/** Normalizes a label for comparison: `First Name` is `firstname`. */
export const plainLabel = (label: unknown): string =>
  String(label)
    .toLowerCase()
    .replace(/[^a-z]/g, '');

/** The position of an item in its booking, from 1. */
const positionOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0) + 1;

export function participantsOf({ value, path }: kit.ListedObject): readonly Participant[] {
  const list: readonly unknown[] = Array.isArray(value.participants) ? value.participants : [];
  return list.flatMap((participant, index) => {
    if (!kit.isJsonObject(participant)) return [];
    const place = { id: `${positionOf(path)}-${index + 1}`, path: `${path}.participants[${index}]` };
    return [{ ...place, fields: kit.objectsIn(participant.fields) }];
  });
}

/** The person described by a participant's fields. An empty field has a label and no value. */
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

/** The non-empty fields by label; of a repeated label, the first. */
function answersOf(fields: readonly kit.JsonObject[]): kit.JsonObject {
  const filled = fields.flatMap(({ label, value }) => {
    const name = kit.textOf(label);
    const answer = kit.textOf(value);
    return name === undefined || answer === undefined ? [] : [[name, answer] as const];
  });
  return Object.fromEntries(filled.toReversed());
}

/**
 * The type of an item's participants: `adult`, `child`, or the vendor's label. Rezdy does not say which participant has
 * which type, so it is known only if all of them have the same.
 */
function participantTypeOf({ quantities }: kit.JsonObject): string | undefined {
  const [label, ...others] = kit.objectsIn(quantities).map(({ optionLabel }) => kit.textOf(optionLabel));
  if (label === undefined || others.length > 0) return undefined;
  const plain = plainLabel(label);
  if (/^adults?$/.test(plain)) return 'adult';
  return /^child(ren)?$/.test(plain) ? 'child' : label;
}

/** The participants of an item as guests. */
export function readGuests(item: kit.ListedObject): Guest[] {
  const participantType = participantTypeOf(item.value);
  return participantsOf(item).map(({ id, fields }) => ({
    ...answersOf(fields),
    participantType,
    ...personOf(fields),
    id,
  }));
}
