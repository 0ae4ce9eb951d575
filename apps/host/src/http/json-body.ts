import { isStorableText } from '@waiver-service/core';
import { charsetOf, decodeText } from '@waiver-service/outbound';
import { HttpProblem, type ProblemDetail } from './http-problem.ts';
import { InexactNumber, parseJson } from './json-number.ts';

/** How deeply the values of a body may be nested. */
export const maxNesting = 32;

function malformedJson(reason: string): HttpProblem {
  return new HttpProblem(400, 'malformed_json', `The body is not JSON: ${reason}.`, {
    errors: [{ path: '', message: reason }],
  });
}

// The engine's message may quote the body: only the kind of error and its position are used.
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (text.startsWith('Unexpected end')) return 'it ends too early';
  const [position] = /at position \d+/.exec(text) ?? [];
  return position === undefined
    ? 'it has a character that does not belong there'
    : `it goes wrong ${position}`;
}

/** @throws HttpProblem 415 `unsupported_media_type` if the charset that a body declares is not known */
export function requireKnownCharset(text: string | undefined, charset: string): string {
  if (text !== undefined) return text;
  throw new HttpProblem(
    415,
    'unsupported_media_type',
    `The charset ${JSON.stringify(charset)} of the body is not known here: send it in UTF-8.`,
  );
}

function decode(bytes: Buffer, contentType: string | undefined): string {
  const charset = charsetOf(bytes, contentType);
  try {
    return requireKnownCharset(decodeText(bytes, charset, true), charset);
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw malformedJson(`it is not ${charset.toUpperCase()}`);
  }
}

/**
 * Parses a body as JSON; `undefined` for an empty one. A declared charset is decoded.
 * @throws HttpProblem 400 `malformed_json`, 415 `unsupported_media_type`
 */
export function readJsonBody(bytes: Buffer, contentType?: string): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes, contentType);
  try {
    return parseJson(text);
  } catch (error) {
    throw malformedJson(reasonOf(error));
  }
}

const pathOf = (parent: string, name: string, inArray: boolean) => {
  if (inArray) return `${parent}[${name}]`;
  return parent === '' ? name : `${parent}.${name}`;
};

/**
 * Finds the first value in a parsed body that cannot be stored and sent on unchanged: text that PostgreSQL cannot
 * store, a number that JavaScript cannot represent, the name `__proto__`, or nesting beyond {@link maxNesting}.
 */
export function findUnstorable(value: unknown, path = '', depth = 0): ProblemDetail | undefined {
  if (typeof value === 'string') {
    return isStorableText(value)
      ? undefined
      : { path, message: 'holds a character that cannot be stored (U+0000 or half a surrogate pair)' };
  }
  if (value instanceof InexactNumber) {
    return { path, message: 'is a number that JSON cannot carry exactly: send it as a string' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === maxNesting) return { path, message: `is nested deeper than ${maxNesting} levels` };
  const inArray = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    // Most of a large body: the points of strokes.
    if (inArray && typeof inner === 'number') continue;
    if (name === '__proto__')
      return { path: pathOf(path, name, false), message: 'is not a name that a field can have' };
    if (!isStorableText(name)) {
      return { path, message: 'has a field whose name cannot be stored (U+0000 or half a surrogate pair)' };
    }
    const found = findUnstorable(inner, pathOf(path, name, inArray), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
