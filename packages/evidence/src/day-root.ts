import { hashLines } from './hash.ts';

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
