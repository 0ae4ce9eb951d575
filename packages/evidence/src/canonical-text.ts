import canonicalize from 'canonicalize';

function refuse(path: string, what: string): never {
  throw new TypeError(`${path === '' ? 'the value' : path} ${what}, which cannot be sealed`);
}

function checkObject(value: object, path: string): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse(path, 'is not a plain object');
  for (const [name, inner] of Object.entries(value)) {
    if (!name.isWellFormed()) refuse(path, 'has a name with half a character (a lone surrogate)');
    check(inner, path === '' ? name : `${path}.${name}`);
  }
}

function check(value: unknown, path: string): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') {
    if (!value.isWellFormed()) refuse(path, 'has half a character (a lone surrogate)');
  } else if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) refuse(path, `is ${value}, not a whole number`);
  } else if (Array.isArray(value)) {
    // Not forEach, which skips holes.
    for (let index = 0; index < value.length; index += 1) check(value[index], `${path}[${index}]`);
  } else if (typeof value === 'object') {
    checkObject(value, path);
  } else {
    refuse(path, `is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`);
  }
}

/**
 * A value's JSON by RFC 8785: equal values have the same bytes. Numbers must be whole, because programs write fractions
 * differently.
 *
 * @throws TypeError which names the place of a fraction, a number beyond 2^53, half a character (a lone surrogate),
 *   `undefined`, or anything else that JSON does not have
 */
export function canonicalText(value: unknown): string {
  check(value, '');
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('the value cannot be sealed');
  return text;
}
