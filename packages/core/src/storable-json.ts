import { isStorableText } from './identifiers.ts';

/**
 * The path of the first text inside a JSON value that cannot be stored and sent back as it is (U+0000 or half a
 * surrogate pair), `undefined` where there is none.
 */
export function findUnstorableText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (!isStorableText(name)) return innerPath;
    const found = findUnstorableText(inner, innerPath);
    if (found !== undefined) return found;
  }
  return undefined;
}
