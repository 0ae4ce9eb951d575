import type { JsonValue } from '@waiver-service/waivers';

/** How deeply arrays and objects in an answer may be nested; a text or a number has depth 0. */
export const answerMaxDepth = 5;

/** The maximum length of a text in an answer, in UTF-16 code units. */
export const answerTextMaxLength = 10_000;

/** Whether JSON can represent a value exactly; it cannot represent a number that became infinite. */
export function isJsonValue(value: unknown): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'object' && Object.values(value).every(isJsonValue);
}

/** Whether arrays and objects in a value are nested no deeper than `depth`. Looks no deeper than that. */
export function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithinDepth(inner, depth - 1));
}

/** Whether every text in a value, including the names of members, is at most `length` long. */
export function hasShortTexts(value: unknown, length: number): boolean {
  if (typeof value === 'string') return value.length <= length;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, inner]) => name.length <= length && hasShortTexts(inner, length),
  );
}
