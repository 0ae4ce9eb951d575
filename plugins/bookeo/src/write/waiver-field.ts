import type { Waiver } from '@waiver-service/core';
import { type JsonObject, objectsIn, textOf, withNoteLine } from '@waiver-service/plugin-kit';

/** Whether a custom field is the one for waivers; `waiverField` is its name or its id. */
export const isWaiverField = ({ id, name }: JsonObject, waiverField: string): boolean =>
  [id, name].some((one) => textOf(one)?.toLowerCase() === waiverField.toLowerCase());

/** A person's custom fields with the waiver's line updated, or removed by a void; `undefined` if nothing changes. */
export function withWaiver(
  person: JsonObject,
  waiverField: string,
  waiver: Waiver,
): readonly JsonObject[] | undefined {
  const fields = objectsIn(person.customFields);
  const field = fields.find((one) => isWaiverField(one, waiverField)) ?? { name: waiverField };
  const before = typeof field.value === 'string' ? field.value : '';
  const value = withNoteLine(before, waiver);
  return value === before ? undefined : [...fields.filter((one) => one !== field), { ...field, value }];
}
