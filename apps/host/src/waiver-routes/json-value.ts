import type { JsonValue } from '@waiver-service/waivers';

/** How deep arrays and objects inside one answer may go; a text or a number is depth 0. */
export const answerMaxDepth = 5;

/** Longest text inside an answer, in UTF-16 code units. */
export const answerTextMaxLength = 10_000;

/** Whether a value is what JSON can carry and send back unchanged: in particular no number that became infinite. */
export function isJsonValue(value: unknown): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'object' && Object.values(value).every(isJsonValue);
}

/** Whether arrays and objects inside a value go no deeper than `depth`. Looks no deeper than that itself. */
export function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithinDepth(inner, depth - 1));
}

/** Whether every text inside a value, the names of an object's members included, is at most `length` long. */
export function hasShortTexts(value: unknown, length: number): boolean {
  if (typeof value === 'string') return value.length <= length;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, inner]) => name.length <= length && hasShortTexts(inner, length),
  );
}
