import { createHash, randomBytes } from 'node:crypto';
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

/** The format's name and version. Begins each hashed message, so that none can pass for another kind. */
export const evidenceFormat = 'waiver-evidence/1';

/**
 * Hex SHA-256 of lines: `waiver-evidence/1 <kind>`, then the others, joined by line feeds. Unambiguous, because only
 * the last line may contain a line feed: the callers' other lines are hex, whole numbers and names from a fixed list.
 */
export function hashLines(kind: string, ...lines: readonly string[]): string {
  return createHash('sha256')
    .update([`${evidenceFormat} ${kind}`, ...lines].join('\n'))
    .digest('hex');
}

/** The parts of a record, in hashing order. Any can be erased, and the others still verify. */
export const partNames = ['core', 'person', 'sensitive', 'ink', 'trace'] as const;

export type PartName = (typeof partNames)[number];

/** Salt and text are removed when a part is erased; its hash stays. */
export interface SealedPart {
  readonly name: PartName;
  /** Hex, 32 random bytes: without it a short text could be guessed from its hash. */
  readonly salt: string;
  /** RFC 8785 JSON. */
  readonly text: string;
  /** Hex SHA-256 of the lines `waiver-evidence/1 part <name>`, salt, text. */
  readonly hash: string;
}

export interface SealedRecord {
  /** Hex SHA-256 of the line `waiver-evidence/1 leaf` and the parts' hashes, a line each. */
  readonly leaf: string;
  /** All five, in the order of {@link partNames}. */
  readonly parts: readonly SealedPart[];
}

/**
 * A value stored beside the record, about one person or with limited retention: a part has only its hash, so that it
 * can be erased and the others still verify.
 */
export interface SaltedEntry {
  readonly salt: string;
  /** RFC 8785 JSON of the value. */
  readonly text: string;
  /** Hex SHA-256 of the lines `waiver-evidence/1 entry`, salt, text. */
  readonly hash: string;
}

const randomSalt = () => randomBytes(32).toString('hex');

/**
 * Seals a record. A part without content is null, and is sealed like the others.
 *
 * @throws TypeError for values that {@link canonicalText} refuses
 */
export function sealRecord(
  record: { readonly [Name in PartName]: object | null },
  salt: () => string = randomSalt,
): SealedRecord {
  const parts = partNames.map((name) => {
    const sealed = { name, salt: salt(), text: canonicalText(record[name]) };
    return { ...sealed, hash: hashLines(`part ${name}`, sealed.salt, sealed.text) };
  });
  return { leaf: hashLines('leaf', ...parts.map(({ hash }) => hash)), parts };
}

/** @throws TypeError for values that {@link canonicalText} refuses */
export function saltedEntry(
  value: object | string | number | boolean,
  salt: () => string = randomSalt,
): SaltedEntry {
  const sealed = { salt: salt(), text: canonicalText(value) };
  return { ...sealed, hash: hashLines('entry', sealed.salt, sealed.text) };
}
