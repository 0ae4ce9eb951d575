import type { Warning } from '@waiver-service/core';
import { isJsonObject } from './json.ts';

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
