import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = new URL('../src/', import.meta.url);

/** Every file that a file brings with it, and every package; types bring nothing. */
function broughtBy(file: URL, found = new Set<string>()): Set<string> {
  if (found.has(file.href)) return found;
  found.add(file.href);
  const imports = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
  for (const [, module = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    if (module.startsWith('.')) broughtBy(new URL(module, file), found);
    else found.add(module);
  }
  return found;
}

test('the evaluation brings no package, so that zod stays out of the browser', () => {
  const files = ['check-signing.ts', 'evaluate.ts', 'form-text.ts', 'sentences/sentences.ts'];
  for (const file of files) {
    const brought = [...broughtBy(new URL(file, sources))];
    // core's names, one file without imports.
    const names = '@waiver-service/core/name-key';
    expect(brought.filter((one) => !one.startsWith('file:') && one !== names)).toEqual([]);
  }
  expect([...broughtBy(new URL('signing.ts', sources))]).toContain('zod');
});

test('sentences of other languages are not loaded at once', () => {
  const brought = [...broughtBy(new URL('sentences/sentences.ts', sources))];
  expect(brought).toHaveLength(1);
});
