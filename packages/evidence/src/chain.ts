import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { canonicalText } from './canonical-text.ts';
import { evidenceFormat, hashLines } from './hash.ts';

/** The state of a pool's chain. */
export interface Head {
  /** The number of leaves. */
  readonly sequence: number;
  /** Hex SHA-256. */
  readonly head: string;
}

/** A pool's head before any leaf: hex SHA-256 of the lines `waiver-evidence/1 pool` and the pool's name. */
export const firstHead = (pool: string): Head => ({ sequence: 0, head: hashLines('pool', pool) });

/** The head after a leaf: hex SHA-256 of the lines `waiver-evidence/1 head`, sequence, former head, leaf. */
export function nextHead(former: Head, leaf: string): Head {
  const sequence = former.sequence + 1;
  return { sequence, head: hashLines('head', String(sequence), former.head, leaf) };
}

export interface HeadSignature {
  /** The operator's clock, ISO UTC. */
  readonly at: string;
  /** Hex Ed25519 over the RFC 8785 JSON of `{at, format, head, pool, sequence}`. */
  readonly signature: string;
}

/** Signs the last head of a batch with the pool's Ed25519 key. */
export function signHead(
  pool: string,
  { sequence, head }: Head,
  at: Date,
  privateKey: KeyObject,
): HeadSignature {
  const message = { format: evidenceFormat, pool, sequence, head, at: at.toISOString() };
  return {
    at: message.at,
    signature: sign(null, Buffer.from(canonicalText(message)), privateKey).toString('hex'),
  };
}

/** The public key for an evidence file: PEM (SPKI) of an Ed25519 key, private or public. */
export function publicKeyText(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}
