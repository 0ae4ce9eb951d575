import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { canonicalText, evidenceFormat, hashLines } from './seal.ts';

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

/** A node's neighbor on the way from a head to the root: hex SHA-256, by its side. */
export type PathStep = { readonly left: string } | { readonly right: string };

/** A node without a neighbor moves up unchanged. If duplicated, different lists would have the same root. */
function nextLevel(level: readonly string[]): readonly string[] {
  return Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
    const [left = '', right] = level.slice(index * 2, index * 2 + 2);
    return right === undefined ? left : hashLines('node', left, right);
  });
}

const bottomOf = (heads: readonly string[]) => heads.map((head) => hashLines('root', head));

/**
 * The Merkle root of several pools' heads, which one time stamp covers. A head enters as the hash of the lines
 * `waiver-evidence/1 root` and the head; two nodes are combined as `waiver-evidence/1 node`, left, right.
 *
 * @throws RangeError if there is no head
 */
export function rootOf(heads: readonly string[]): string {
  let level = bottomOf(heads);
  while (level.length > 1) level = [...nextLevel(level)];
  const [root] = level;
  if (root === undefined) throw new RangeError('no head, so no root');
  return root;
}

/**
 * The steps from the head at an index to {@link rootOf} the same heads. They reveal only hashes of other pools.
 *
 * @throws RangeError if there is no head at the index
 */
export function pathTo(heads: readonly string[], index: number): readonly PathStep[] {
  if (heads[index] === undefined) throw new RangeError(`no head at ${index} of ${heads.length}`);
  const steps: PathStep[] = [];
  let level: readonly string[] = bottomOf(heads);
  let position = index;
  while (level.length > 1) {
    const isRight = position % 2 === 1;
    const hash = level[isRight ? position - 1 : position + 1];
    if (hash !== undefined) steps.push(isRight ? { left: hash } : { right: hash });
    level = nextLevel(level);
    position = Math.floor(position / 2);
  }
  return steps;
}
