import type { Guest } from '@waiver-service/core';
import {
  filledFields,
  type JsonObject,
  objectOf,
  objectsIn,
  type Reading,
  textOf,
} from '@waiver-service/plugin-kit';

function isField({ custom_field: field, name }: JsonObject, wanted: string): boolean {
  return [objectOf(field).pk, objectOf(field).name, name].some(
    (one) => textOf(one)?.toLowerCase() === wanted.toLowerCase(),
  );
}

/** A customer as a guest. FareHarbor knows no names of customers but by a custom field that a company may have. */
export function readGuest(reading: Reading, customer: unknown, path: string, nameField?: string): Guest {
  const found = objectOf(customer);
  const name = objectsIn(nameField === undefined ? [] : found.custom_field_values)
    .filter((value) => isField(value, nameField ?? ''))
    .map(({ value, display_value }) => textOf(value) ?? textOf(display_value))
    .find((one) => one !== undefined);
  if (name === undefined) reading.warn('guest_without_name', path, `${path} has no name`);
  return filledFields({ id: textOf(found.pk), name });
}
