import type { Waiver } from '@waiver-service/core';
import { isJsonObject, type JsonObject, Reading } from '@waiver-service/plugin-kit';
import { labelOf } from '../read/participants.ts';
import { notesOf, withoutOwnLine } from './internal-notes.ts';
import { fieldsAt, itemsWith, type OrderChange } from './order-change.ts';

// Rezdy omits empty values.
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether two parts of an order are equal, whatever the order of their properties. */
function isSame(one: unknown, other: unknown): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (isJsonObject(one) && isJsonObject(other)) return differingNames(one, other).length === 0;
  return one === other;
}

const differingNames = (one: JsonObject, other: JsonObject): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !isSame(one[name], other[name]),
  );

/** An order without the time of its last update, the waiver's line and the changed fields. */
function untouchedPart(order: JsonObject, { changedFields, path }: OrderChange, waiver: Waiver): JsonObject {
  const { dateUpdated: _updated, ...rest } = order;
  const fields = fieldsAt(order, path).map((field) =>
    changedFields.includes(labelOf(field)) ? { ...field, value: undefined } : field,
  );
  return {
    ...rest,
    internalNotes: withoutOwnLine(notesOf(new Reading(), order), waiver),
    items: itemsWith(order, path, fields),
  };
}

/** The names of the properties of an order that changed unintentionally. */
export const unintendedChanges = (
  before: JsonObject,
  after: JsonObject,
  change: OrderChange,
  waiver: Waiver,
): string[] => differingNames(untouchedPart(before, change, waiver), untouchedPart(after, change, waiver));
