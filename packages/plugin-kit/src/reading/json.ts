/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object: no list, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a JSON value is, in words, for messages: `a number`, `a list`, `null`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** Whether a field is there with a value: neither left out nor `null`. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** A text as a message shows it: in quotes, its end cut off where it is long. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

// JSON.stringify, which every later reader of a booking uses, overflows its stack on what JSON.parse still reads.
const deepest = 100;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

// This walks over every value of every answer: it makes no list on its way, and calls itself for no plain value.
function isNestedTooDeep(value: object, depth: number): boolean {
  if (depth >= deepest) return true;
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
