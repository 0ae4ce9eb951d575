import { InvalidBookingResponse, type Warning } from '@waiver-service/core';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, not a list or `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of a JSON value, as messages name it: `a number`, `a list`, `null`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** Whether a field has a value: neither absent nor `null`. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** A text in quotes, for messages; truncated after 80 characters. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

// JSON.stringify overflows the stack at depths that JSON.parse still reads, and every booking is serialized later.
const maxDepth = 100;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

// Hot path, run over every value of every response: it allocates nothing and recurses into objects and lists only.
function isNestedTooDeep(value: object, depth: number): boolean {
  if (depth >= maxDepth) return true;
  if (Array.isArray(value)) {
    for (const inner of value) if (isNested(inner) && isNestedTooDeep(inner, depth + 1)) return true;
  } else if (isJsonObject(value)) {
    for (const name in value) {
      const inner = value[name];
      if (isNested(inner) && isNestedTooDeep(inner, depth + 1)) return true;
    }
  }
  return false;
}

/** Whether a JSON value is nested too deeply to be handled safely. */
export const isTooDeep = (value: unknown): boolean => isNested(value) && isNestedTooDeep(value, 0);

function describe(body: unknown): string {
  if (typeof body !== 'string') {
    return Array.isArray(body) ? `a list of ${body.length}` : `a bare ${String(body)}`;
  }
  const text = body.trim();
  if (text === '') return 'an empty answer';
  if (text.startsWith('<')) return 'a page of HTML or XML';
  return /^[{[]/.test(text) ? 'JSON that is cut off or malformed' : 'a text that is not JSON';
}

/** Returns the body if it is a JSON object; otherwise throws InvalidBookingResponse, whose message describes it. */
export function expectObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw new InvalidBookingResponse(`a booking was expected, but ${describe(body)} came`);
}

const replacement = '\uFFFD';

/** Adds the paths of texts with U+FFFD to a list. */
function collectPaths(value: unknown, path: string, paths: string[]): void {
  if (typeof value === 'string') {
    if (value.includes(replacement)) paths.push(path);
  } else if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) collectPaths(inner, `${path}[${index}]`, paths);
  } else if (isJsonObject(value)) {
    for (const name in value) collectPaths(value[name], path === '' ? name : `${path}.${name}`, paths);
  }
}

/**
 * A warning for a booking with characters that could not be decoded: its answer was not in the charset that it declares,
 * or the booking system had lost them before. Empty if there are none.
 */
export function warningsOfLostCharacters(booking: object): readonly Warning[] {
  const paths: string[] = [];
  collectPaths(booking, '', paths);
  const [path] = paths;
  if (path === undefined) return [];
  const what = paths.length === 1 ? 'a text has' : `${paths.length} texts have`;
  const message = `${what} characters that could not be decoded (U+FFFD stands for them): answer in UTF-8, or declare the charset in Content-Type`;
  return [{ code: 'characters_lost', path, message }];
}
