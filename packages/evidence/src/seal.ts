import { randomBytes } from 'node:crypto';
import { canonicalText } from './canonical-text.ts';
import { hashLines } from './hash.ts';

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
