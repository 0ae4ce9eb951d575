import { expect, test, vi } from 'vitest';
import { progressNotes } from '../../src/commands/backup.ts';
import { inBytes } from '../../src/commands/command-output.ts';
import { describeMove, moveNotes } from '../../src/commands/move-pool.ts';
import { describeRestore } from '../../src/commands/restore.ts';
import { describeRotation } from '../../src/commands/rotate-keys.ts';

test('progress is said now and then', () => {
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
      'Encrypted 3 values anew with the key "k2", which now encrypts 9 values.',
      'Cannot be read, and was left as it is: webhook.auth_encrypted of w1 (no key).',
    ],
    complete: false,
  });
});

test('a restore says which key is missing, what was left out and what was migrated', () => {
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
  const said = describeRestore(restored, ['k2']).join('\n');
  expect(said).toContain('12,345 rows of 40 tables, as of 2026-05-01T10:00:00.000Z, from PostgreSQL 16.4');
  expect(said).toContain('Migrated on to this version: 0022-backups.');
  expect(said).toContain('no such table: of_others.');
  expect(said).toContain('4 secrets are encrypted with the key "k1", which is not among ENCRYPTION_KEYS');
  expect(said).toContain('2 messages waited');
  expect(said).toContain('start it with ROLE=api');
});

test('a move says how far it is, once for each step, and what is left to a person', () => {
  const sentences: string[] = [];
  const lines: string[] = [];
  const copying = {
    step: 'copying',
    table: 'waiver',
    number: 2,
    tables: 20,
    bytes: 3 * 1024 * 1024,
  } as const;
  for (const [notes, json] of [
    [sentences, false],
    [lines, true],
  ] as const) {
    const onProgress = moveNotes((line) => notes.push(line), json);
    onProgress({ step: 'leaving' });
    onProgress(copying);
    onProgress({ ...copying, table: 'webhook' });
  }
  expect(sentences).toEqual([
    'from now on changes of the pool are refused (503 pool_moving), and nothing more of it is sent here',
    'copying, table 2 of 20, waiver: 3 MB so far',
  ]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ step: 'leaving' }, copying]);
  const moved = { rows: 1_234, refusedMs: 5_678, alerts: ['On call'], credentials: ['Guide', 'Desk'] };
  expect(describeMove(moved, { pool: 'p', cell: 'us1', url: 'https://us1.example.com' })).toEqual([
    'The pool "p" is in the cell "us1", and nothing of it is left here. 1,234 rows were copied, and their checksums are the same; changes were refused for 5.7 seconds.',
    "Calls for it that come here are sent on to https://us1.example.com: leave this cell's address to those that have it.",
    'These alerts of this cell name the pool, and tell nothing of it any more: "On call".',
    'These credentials of this cell name the pool; create such ones in the other cell: "Guide", "Desk".',
  ]);
});
