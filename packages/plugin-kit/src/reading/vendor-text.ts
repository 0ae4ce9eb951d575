import { isJsonObject, type JsonObject } from './json.ts';

/** A text that says something, or a whole number as a text; `undefined` for anything else. Notes no warning. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' ? undefined : value.trim();
}

/** The fields that have a value, for an object where the others are left out. */
export function filledFields<Name extends string>(
  fields: Readonly<Record<Name, string | undefined>>,
): { [name in Name]?: string } {
  const filled: { [name in Name]?: string } = {};
  for (const name in fields) if (fields[name] !== undefined) filled[name] = fields[name];
  return filled;
}

/** The object itself; an empty one for anything else, so that what should be in it is missing. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The objects of a list; none where it is no list. */
export const objectsIn = (list: unknown): JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : [];
