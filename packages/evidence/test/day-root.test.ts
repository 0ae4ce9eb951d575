import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type PathStep, pathTo, rootOf } from '../src/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const entry = (head: string) => sha256(`waiver-evidence/1 root\n${head}`);
const node = (left: string, right: string) => sha256(`waiver-evidence/1 node\n${left}\n${right}`);
const walk = (head: string, steps: readonly PathStep[]) =>
  steps.reduce(
    (hash, step) => ('left' in step ? node(step.left, hash) : node(hash, step.right)),
    entry(head),
  );

const heads = Array.from({ length: 33 }, (_, index) => sha256(String(index)));

describe('root', () => {
  it('is over pairs; one without a neighbor rises', () => {
    const [a, b, c] = ['aa', 'bb', 'cc'];
    expect(rootOf(['aa'])).toBe(entry(a));
    expect(rootOf(['aa', 'bb'])).toBe(node(entry(a), entry(b)));
    expect(rootOf(['aa', 'bb', 'cc'])).toBe(node(node(entry(a), entry(b)), entry(c)));
  });

  it('differs for a list whose last head is repeated', () => {
    expect(rootOf(['aa', 'bb', 'cc', 'cc'])).not.toBe(rootOf(['aa', 'bb', 'cc']));
  });

  it('needs a head', () => {
    expect(() => rootOf([])).toThrow(RangeError);
  });
});

describe('path', () => {
  it.each(heads.map((_, index) => index + 1))('leads each of %i heads to the root', (count) => {
    const some = heads.slice(0, count);
    for (const [index, head] of some.entries()) {
      const steps = pathTo(some, index);
      expect(walk(head, steps)).toBe(rootOf(some));
      expect(steps.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
    }
  });

  it('needs a head at the index', () => {
    expect(() => pathTo(['aa'], 1)).toThrow('no head at 1 of 1');
  });
});
