import { isStorableText } from '@waiver-service/core';
import { HttpProblem, type ProblemDetail } from './http-problem.ts';
import { InexactNumber, parseJson } from './json-number.ts';

/** How deep the values of a body may be nested. */
export const deepestNesting = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function malformedJson(reason: string): HttpProblem {
  return new HttpProblem(400, 'malformed_json', `The body is not JSON: ${reason}.`, {
    errors: [{ path: '', message: reason }],
  });
}

// The engine's message may quote the body; only what kind it is and its position are kept.
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (text.startsWith('Unexpected end')) return 'it ends too early';
  const [position] = /at position \d+/.exec(text) ?? [];
  return position === undefined
    ? 'it has a character that does not belong there'
    : `it goes wrong ${position}`;
}

/**
 * Reads the bytes of a body as JSON; no bytes are no body.
 * @throws HttpProblem 400 `malformed_json`
 */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformedJson('it is not UTF-8');
  }
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
 * The first thing in a parsed body that cannot be kept and sent on as it is: text that cannot be stored, a number
 * that cannot be held exactly, a name that JavaScript gives a meaning, or nesting past {@link deepestNesting}.
 */
export function findUnkeepable(value: unknown, path = '', depth = 0): ProblemDetail | undefined {
  if (typeof value === 'string') {
    return isStorableText(value)
      ? undefined
      : { path, message: 'holds a character that cannot be stored (U+0000 or half a surrogate pair)' };
  }
  if (value instanceof InexactNumber) {
    return { path, message: 'is a number that JSON cannot carry exactly: send it as a string' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === deepestNesting) return { path, message: `is nested deeper than ${deepestNesting} levels` };
  const inArray = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__')
      return { path: pathOf(path, name, false), message: 'is not a name that a field can have' };
    if (!isStorableText(name)) {
      return { path, message: 'has a field whose name cannot be stored (U+0000 or half a surrogate pair)' };
    }
    const found = findUnkeepable(inner, pathOf(path, name, inArray), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
