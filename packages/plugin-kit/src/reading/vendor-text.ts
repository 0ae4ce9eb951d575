import { isJsonObject, type JsonObject } from './json.ts';

/** A non-empty text, trimmed, or an integer as text; `undefined` for anything else. Adds no warning. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' ? undefined : value.trim();
}

/** The fields without those that are `undefined`. */
export function definedFields<Name extends string>(
  fields: Readonly<Record<Name, string | undefined>>,
): { [name in Name]?: string } {
  const defined: { [name in Name]?: string } = {};
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name];
  return defined;
}

/** Non-empty texts by label; the first one of a repeated label. */
export function textsByLabel(
  entries: Iterable<readonly [label: string | undefined, text: string | undefined]>,
): Record<string, string> {
  const texts = new Map<string, string>();
  for (const [label, text] of entries) {
    if (label !== undefined && text !== undefined && !texts.has(label)) texts.set(label, text);
  }
  return Object.fromEntries(texts);
}

/** The value if it is an object, otherwise an empty object. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The objects in a list; none if the value is not a list. */
export const objectsIn = (list: unknown): JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : [];
