import type { Waiver } from '@waiver-service/core';
import {
  isJsonObject,
  type JsonObject,
  normalizeNote,
  objectsIn,
  quoted,
  textOf,
} from '@waiver-service/plugin-kit';
import { isWaiverField, textBesides } from './waiver-field.ts';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** Whether Bookeo stores a value as it was sent. What it adds to an object, or trims off a text, is no loss. */
function isStored(sent: unknown, stored: unknown): boolean {
  if (isEmpty(sent)) return isEmpty(stored);
  if (typeof sent === 'string' && typeof stored === 'string') {
    return normalizeNote(sent) === normalizeNote(stored);
  }
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((one, index) => isStored(one, stored[index]));
  }
  if (isJsonObject(sent) && isJsonObject(stored)) {
    return Object.entries(sent).every(([name, value]) => isStored(value, stored[name]));
  }
  return sent === stored;
}

/** Bookeo identifies a custom field by id or name, and may show only one of them. */
const isSameField = (one: JsonObject, other: JsonObject): boolean =>
  textOf(one.id) !== undefined && textOf(other.id) !== undefined
    ? textOf(one.id) === textOf(other.id)
    : textOf(one.name) !== undefined && textOf(one.name) === textOf(other.name);

function lostCustomFields(sent: JsonObject, stored: JsonObject, waiverField: string): string[] {
  const storedFields = objectsIn(stored.customFields);
  return objectsIn(sent.customFields)
    .filter(
      (field) =>
        !isWaiverField(field, waiverField) &&
        !isStored(field.value, storedFields.find((one) => isSameField(field, one))?.value),
    )
    .map(({ id, name }) => `custom field ${quoted(textOf(name) ?? textOf(id) ?? '')}`);
}

/**
 * The names of the fields that a person lacks after a change, or has otherwise than sent: the change replaces all of the
 * person. Of the waiver field, only the text besides the waiver's own line is compared.
 */
export function lostFields(
  sent: JsonObject,
  stored: JsonObject,
  waiverField: string,
  waiver: Waiver,
): string[] {
  const { customFields: _fields, ...others } = sent;
  const textOfOthers = (person: JsonObject) => textBesides(person, waiverField, waiver);
  return [
    ...Object.keys(others).filter((name) => !isStored(sent[name], stored[name])),
    ...lostCustomFields(sent, stored, waiverField),
    ...(isStored(textOfOthers(sent), textOfOthers(stored))
      ? []
      : [`other text in the custom field ${quoted(waiverField)}`]),
  ];
}
