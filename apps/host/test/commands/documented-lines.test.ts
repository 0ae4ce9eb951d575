import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCommand } from '../../src/commands/read-command.ts';

const docs = join(import.meta.dirname, '../../../../docs');

/** The words of each operator's command in the pages. */
const lines = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => [
    ...readFileSync(join(docs, name), 'utf8').matchAll(
      /^ *(?:npx --no-install waiver-service|node \S+\/bin\/waiver-service\.js) ((?:doctor|backup|restore|keys)\b[^#\n]*)/gm,
    ),
  ])
  .map(([, line = '']) => line.trim().split(/\s+/));

test('every operator’s command in the pages is one, and every one is in the pages', () => {
  const kinds = lines.map((line) => readCommand(line).kind);
  expect(new Set(kinds)).toEqual(new Set(['doctor', 'backup', 'restore', 'rotate-keys', 'help']));
});
