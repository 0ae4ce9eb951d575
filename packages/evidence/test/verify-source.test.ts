import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each([
  ['verify.ts', 325, ['node:crypto', './stamp-token.ts']],
  ['stamp-token.ts', 290, ['node:crypto']],
])('the verifier can be read, and leans on node:crypto only: %s', (file, maxLines, modules) => {
  const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(maxLines);
  expect(
    [...source.matchAll(/(?:from|import|require)\s*\(?\s*'([^']+)'/g)].map(([, module]) => module),
  ).toEqual(modules);
});
