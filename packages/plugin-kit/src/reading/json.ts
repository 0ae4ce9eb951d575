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
