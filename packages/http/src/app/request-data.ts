import { randomUUID } from 'node:crypto';
import { describeIssue, isStorableText } from '@waiver-service/core';
import { charsetOf, decodeText } from '@waiver-service/outbound';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { HttpProblem, malformed, type ProblemDetail } from '../answers/problems.ts';

/** Replaces a number in a parsed body that JavaScript cannot represent exactly. */
export class InexactNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Whether text may contain such a number. One pattern with both alternatives would take five times as long. */
const isSuspicious = (text: string) => /\d{14}/.test(text) || /\d[eE]/.test(text);
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Before an inexact number, while it is a string. No body can contain it. */
const marker = randomUUID();

/** The significant digits and the power of ten of a number: the same text for all spellings of a number. */
function canonical(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

/** Whether a number written as `source` reads back as the same number. */
export function isExactNumber(source: string): boolean {
  const written = String(Number(source));
  return written === source || canonical(source) === canonical(written);
}

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The text, in which inexact numbers are strings behind the {@link marker}. */
function withMarks(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from);
    const end = quote === -1 ? text.length : quote;
    const between = text.slice(from, end);
    if (isSuspicious(between)) {
      for (const { 0: source, index } of between.matchAll(number)) {
        if (!isSuspicious(source) || isExactNumber(source)) continue;
        parts.push(text.slice(done, from + index), `"${marker}${source}"`);
        done = from + index + source.length;
      }
    }
    from = quote === -1 ? text.length : endOfString(text, quote);
  }
  return parts.length === 0 ? text : `${parts.join('')}${text.slice(done)}`;
}

function withoutMarks(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith(marker) ? new InexactNumber(value.slice(marker.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, inner] of Object.entries(value)) {
    const read = withoutMarks(inner);
    // Also where the name is `__proto__`.
    if (read !== inner) Object.defineProperty(value, name, { value: read });
  }
  return value;
}

/**
 * Parses JSON. A number that would silently change is replaced by an {@link InexactNumber}. A reviver, which can see how
 * a number was written, would keep the process busy for seconds with the strokes of a large signing.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!isSuspicious(text)) return value;
  const marked = withMarks(text);
  return marked === text ? value : withoutMarks(JSON.parse(marked));
}

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

function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

// An unknown field is named by its own path, like every other field.
function unknownFields(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({
    ...issue,
    path: [...issue.path, key],
    message: 'there is no such field',
  }));
}

// The branch of a union that got furthest describes the fault best.
function innerIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  // If all branches expect another type, the union's own message names them all.
  const ofType = (branch: readonly z.core.$ZodIssue[]) =>
    branch.every(({ code, path }) => code === 'invalid_type' && path.length === 0);
  if (issue.errors.every(ofType)) return [issue];
  const reach = (branch: readonly z.core.$ZodIssue[]) =>
    Math.max(...branch.map(({ path, code }) => path.length * 2 + (code === 'invalid_type' ? 0 : 1)));
  const [best = []] = issue.errors.toSorted((one, other) => reach(other) - reach(one));
  return best.flatMap(innerIssues).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The issues of a zod error, at most 50 so that the response stays small. */
export function problemDetails(error: z.core.$ZodError, basePath = ''): ProblemDetail[] {
  return error.issues
    .flatMap(innerIssues)
    .flatMap(unknownFields)
    .slice(0, 50)
    .map((issue) => {
      const path = [basePath, pathText(issue.path)].filter((part) => part !== '').join('.');
      return { path: path.slice(0, 300), message: issue.message.slice(0, 300) };
    });
}

/** Validates the parts of a request with the zod schemas of its route. Faults become a 400 that names them. */
export const zodValidatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (!(schema instanceof z.core.$ZodType)) throw new TypeError('The schema of a route is not a zod schema.');
  const mayBeMissing = z.safeParse(schema, undefined).success;
  return (data: unknown) => {
    const isBody = httpPart === 'body';
    // Fastify passes null for a missing body.
    const isMissing = isBody && (data === undefined || data === null);
    if (isMissing && !mayBeMissing) {
      return { error: malformed([{ path: '', message: 'a JSON object is expected in the body' }]) };
    }
    const unstorable = findUnstorable(isBody ? data : { ...Object(data) });
    if (unstorable !== undefined) return { error: malformed([unstorable]) };
    const parsed = z.safeParse(schema, isMissing ? undefined : data, { error: describeIssue });
    return parsed.success ? { value: parsed.data } : { error: malformed(problemDetails(parsed.error)) };
  };
};
