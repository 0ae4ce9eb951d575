import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { describeRestore, progressNotes } from '../../src/commands/backup.ts';
import { inBytes } from '../../src/commands/command-output.ts';
import { runOperatorCommand } from '../../src/commands/index.ts';
import { CommandLineError, readCommand } from '../../src/commands/read-command.ts';
import { describeRotation } from '../../src/commands/rotate-keys.ts';

test('the commands', () => {
  expect(readCommand(['backup', 'a file'])).toEqual({ kind: 'backup', file: 'a file' });
  expect(readCommand(['restore', '--', '-file'])).toEqual({ kind: 'restore', file: '-file' });
  expect(readCommand(['doctor'])).toEqual({ kind: 'doctor', json: false });
  expect(readCommand(['doctor', '--json'])).toEqual({ kind: 'doctor', json: true });
  expect(readCommand(['keys', 'rotate'])).toEqual({ kind: 'rotate-keys' });
  expect(readCommand(['keys', '--help'])).toEqual({ kind: 'help' });
});

test.each([
  [['keys', 'turn'], 'there is no command "keys turn"; there are:'],
  [['keys'], 'there is no command "keys"'],
  [['backup'], 'backup takes the name of one file: waiver-service backup <file>'],
  [['restore', 'a', 'b'], 'restore takes the name of one file'],
  [['backup', ''], 'backup takes the name of one file'],
  [['backup', 'a', '--json'], 'backup takes no --json'],
  [['doctor', 'now'], 'there is no command "doctor now"'],
  [['backup', 'a', '--force'], "Unknown option '--force'"],
])('%j is an error that names the valid commands', (line, message) => {
  expect(() => readCommand(line)).toThrow(CommandLineError);
  expect(() => readCommand(line)).toThrow(message);
});

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

test('progress is reported now and then', () => {
  vi.useFakeTimers();
  const notes: string[] = [];
  const onProgress = progressNotes((line) => notes.push(line));
  for (let step = 0; step < 50; step += 1) {
    vi.advanceTimersByTime(100);
    onProgress({ table: 'waiver', number: 3, tables: 9, bytes: step * 1024 * 1024 });
  }
  vi.useRealTimers();
  expect(notes).toEqual(['table 3 of 9, waiver: 19 MB so far', 'table 3 of 9, waiver: 39 MB so far']);
});

test('words that are not the program’s own write no escape codes to a terminal, and no lines of the report', async () => {
  const hostile = 'x\u009b2J\u001b[2J\u202e\nAll is well.';
  vi.useFakeTimers();
  const notes: string[] = [];
  const onProgress = progressNotes((line) => notes.push(line));
  vi.advanceTimersByTime(5_000);
  // A file may name any table.
  onProgress({ table: hostile, number: 1, tables: 1, bytes: 0 });
  vi.useRealTimers();
  expect(notes).toEqual(['table 1 of 1, x\\u{9b}2J\\u{1b}[2J\\u{202e}\\u{a}All is well.: 0 bytes so far']);
  const written: string[] = [];
  const write = (line: string) => void written.push(line);
  expect(await runOperatorCommand([hostile], { print: write, note: write })).toBe(2);
  expect(written.join('')).toMatch(/^there is no command "x/);
  expect(written.join('')).toMatch(/^[\p{L}\p{M}\p{N}\p{P}\p{S} \n]*$/u);
});

test('sizes', () => {
  expect([0, 900, 24_364, 10_695_475, 6 * 1024 ** 3, 3 * 1024 ** 5].map(inBytes)).toEqual([
    '0 bytes',
    '900 bytes',
    '23.8 KB',
    '10.2 MB',
    '6 GB',
    '3,072 TB',
  ]);
});

test('a rotation is complete when nothing needs a former key and everything could be read', () => {
  const rotation = { currentKeyId: 'k2', reencrypted: 3, lost: [], uses: [{ keyId: 'k2', values: 9 }] };
  expect(describeRotation(rotation, ['k2', 'k1'])).toMatchObject({ complete: true });
  const used = { ...rotation, uses: [...rotation.uses, { keyId: 'k1', values: 1 }] };
  const { sentences, complete } = describeRotation(used, ['k2', 'k1']);
  expect(complete).toBe(false);
  expect(sentences.at(-1)).toMatch(
    /^The key "k1" still encrypts 1 value\. .* restart that one with "k2" in front/,
  );
  const lost = { ...rotation, lost: [{ where: 'webhook.auth_encrypted of w1', reason: 'no key' }] };
  expect(describeRotation(lost, ['k2'])).toEqual({
    sentences: [
      'Re-encrypted 3 values with the key "k2", which now encrypts 9 values.',
      'Cannot be read, and was left as it is: webhook.auth_encrypted of w1 (no key).',
    ],
    complete: false,
  });
});

test('a restore names missing keys, omitted tables and migrations', () => {
  const restored = {
    takenAt: new Date('2026-05-01T10:00:00Z'),
    tables: 40,
    rows: 12_345,
    postgres: '16.4',
    migrated: ['0022-backups'],
    leftOut: ['of_others'],
    pending: 2,
    keyUses: [
      { keyId: 'k1', values: 4 },
      { keyId: 'k2', values: 5 },
    ],
  };
  const text = describeRestore(restored, ['k2']).join('\n');
  expect(text).toContain('12,345 rows of 40 tables, as of 2026-05-01T10:00:00.000Z, from PostgreSQL 16.4');
  expect(text).toContain('Migrated on to this version: 0022-backups.');
  expect(text).toContain('no such table: "of_others".');
  expect(text).toContain('4 secrets are encrypted with the key "k1", which is not among ENCRYPTION_KEYS');
  expect(text).toContain('2 messages waited');
  expect(text).toContain('start it with ROLE=api');
});
