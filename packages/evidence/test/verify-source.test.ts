import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the verifier is a program that can be read: at most 200 lines, which lean on node:crypto only', () => {
  const source = readFileSync(new URL('../src/verify.ts', import.meta.url), 'utf8');
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  expect(
    [...source.matchAll(/(?:from|import|require)\s*\(?\s*'([^']+)'/g)].map(([, module]) => module),
  ).toEqual(['node:crypto']);
});
