import type { Guest } from '@waiver-service/core';
import {
  isJsonObject,
  type JsonObject,
  type ListedObject,
  objectsIn,
  type Person,
  textOf,
  textsByLabel,
  vendorPerson,
} from '@waiver-service/plugin-kit';

/** A participant of an item. */
export interface Participant {
  /** The positions of the item and of the participant in it, from 1: Rezdy's participants have no id. */
  readonly id: string;
  readonly path: string;
  readonly fields: readonly JsonObject[];
}

/** The labels of a participant's name and contact fields, normalized by {@link plainLabel}. */
export const personLabels = {
  fullName: ['fullname', 'name'],
  firstName: ['firstname', 'givenname'],
  lastName: ['lastname', 'surname', 'familyname'],
  email: ['email', 'emailaddress'],
  phoneNumber: ['phone', 'phonenumber', 'mobile', 'mobilephone'],
} as const;

/** The label of a field; empty if it has none. */
export const labelOf = ({ label }: JsonObject): string => (typeof label === 'string' ? label : '');

/** Normalizes a label for comparison: `First Name` is `firstname`. */
export const plainLabel = (label: string): string => label.toLowerCase().replace(/[^a-z]/g, '');

/** The position of an item in its order, from 1; `path` is `items[0]`. */
const positionOf = (path: string) => Number(path.replace(/\D/g, '')) + 1;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A list element that is not an object is not a participant, but counts as a position. */
export function participantsOf({ value, path }: ListedObject): readonly Participant[] {
  const participants: Participant[] = [];
  for (const [index, participant] of listOf(value.participants).entries()) {
    if (!isJsonObject(participant)) continue;
    participants.push({
      id: `${positionOf(path)}-${index + 1}`,
      path: `${path}.participants[${index}]`,
      fields: objectsIn(participant.fields),
    });
  }
  return participants;
}

/** The person described by a participant's fields. An empty field has a label and no value. */
export function personOf(fields: readonly JsonObject[]): Person {
  const answerTo = (labels: readonly string[]) =>
    fields
      .filter((field) => labels.includes(plainLabel(labelOf(field))))
      .map(({ value }) => textOf(value))
      .find((answer) => answer !== undefined);
  return vendorPerson({
    fullName: answerTo(personLabels.fullName),
    firstName: answerTo(personLabels.firstName),
    lastName: answerTo(personLabels.lastName),
    email: answerTo(personLabels.email),
    phoneNumber: answerTo(personLabels.phoneNumber),
  });
}

/**
 * The type of an item's participants: `adult`, `child`, or the vendor's label. Rezdy does not say which participant has
 * which type, so it is known only if all of them have the same.
 */
function participantTypeOf({ quantities }: JsonObject): string | undefined {
  const [quantity, ...others] = objectsIn(quantities);
  const label = textOf(quantity?.optionLabel);
  if (label === undefined || others.length > 0) return undefined;
  const plain = plainLabel(label);
  if (/^adults?$/.test(plain)) return 'adult';
  return /^child(ren)?$/.test(plain) ? 'child' : label;
}

/** The participants of an item as guests. */
export function readGuests(item: ListedObject): Guest[] {
  const participantType = participantTypeOf(item.value);
  return participantsOf(item).map(({ id, fields }) => ({
    ...textsByLabel(fields.map(({ label, value }) => [textOf(label), textOf(value)])),
    participantType,
    ...personOf(fields),
    id,
  }));
}
