import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseExamination } from '@waiver-service/operations/data';
import { describe, expect, test, vi } from 'vitest';
import { describeRestore, progressNotes } from '../../src/commands/backup.ts';
import { inBytes } from '../../src/commands/command-output.ts';
import { judgeRoom, judgeSettings } from '../../src/commands/doctor/doctor.ts';
import { inWords, judgeDatabase } from '../../src/commands/doctor/judge-database.ts';
import { runOperatorCommand } from '../../src/commands/index.ts';
import { CommandLineError, readCommand } from '../../src/commands/read-command.ts';
import { describeRotation } from '../../src/commands/rotate-keys.ts';
import { readSettings } from '../../src/settings/read-settings.ts';

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

const now = new Date('2026-05-10T12:00:00Z');

type Server = DatabaseExamination['server'];

type Content = Exclude<DatabaseExamination['content'], undefined>;

const server: Server = {
  version: '18.1',
  isReadOnly: false,
  databaseBytes: 20_000_000,
  connections: 12,
  maxConnections: 100,
  clockAheadMs: 100,
  clockDoubtMs: 1,
  settings: {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    synchronous_standby_names: '',
    wal_level: 'replica',
    autovacuum: 'on',
  },
  oldestTransactionMs: 1_000,
  seesTransactions: true,
  oldestFrozenAge: 1_000_000,
  idleSlots: [],
};

const content: Content = {
  keyUses: [{ keyId: 'k2', values: 9 }],
  openedSecrets: 9,
  lostSecrets: [],
  lastBackup: { takenAt: new Date('2026-05-09T12:00:00Z'), keyId: 'k2' },
  sending: { dispatchers: 2, pending: 3, overdueMs: 400, pausedDestinations: 0 },
};

const judge = (changed: { server?: Partial<Server>; content?: Partial<Content> } = {}) =>
  judgeDatabase(
    {
      server: { ...server, ...changed.server },
      missingMigrations: [],
      unknownMigrations: [],
      tooOld: undefined,
      content: { ...content, ...changed.content },
    },
    ['k2', 'k1'],
    now,
  );

const other = (findings: ReturnType<typeof judge>) => findings.filter(({ status }) => status !== 'ok');

test('a healthy database has no problems', () => {
  expect(other(judge())).toEqual([]);
  expect(judge().map(({ check }) => check)).toEqual([
    'database',
    'migrations',
    'clock',
    'durability',
    'replication',
    'vacuum',
    'connections',
    'keys',
    'backup',
    'sending',
  ]);
});

describe('each of these is the only finding', () => {
  const settings = (changed: Record<string, string>) => ({
    server: { settings: { ...server.settings, ...changed } },
  });
  test.each([
    [{ server: { isReadOnly: true } }, 'problem', 'read-only: name the primary'],
    [
      { server: { unsuitable: 'session_replication_role is replica: reset it' } },
      'problem',
      'The service cannot use it: session_replication_role is replica: reset it.',
    ],
    [{ server: { clockAheadMs: 10_000 } }, 'note', 'is 9 seconds behind the database'],
    [{ server: { clockAheadMs: -3_600_000 } }, 'problem', 'is 59 minutes ahead of the database'],
    [
      settings({ synchronous_commit: 'off', fsync: 'off' }),
      'problem',
      'has fsync and synchronous_commit off',
    ],
    [settings({ wal_level: 'minimal' }), 'note', 'no point-in-time recovery'],
    [settings({ autovacuum: 'off' }), 'problem', 'autovacuum is off'],
    [{ server: { oldestFrozenAge: 1_500_000_000 } }, 'problem', '1,500,000,000 transactions old'],
    [{ server: { idleSlots: ['standby1'] } }, 'problem', 'the replication slots standby1'],
    [{ server: { oldestTransactionMs: 10_800_000 } }, 'problem', 'open for 3 hours'],
    [{ server: { connections: 95 } }, 'problem', '95 of 100 connections'],
    [
      { content: { keyUses: [...content.keyUses, { keyId: 'k1', values: 4 }] } },
      'note',
      '"k1" (4). waiver-service keys rotate',
    ],
    [
      { content: { lostSecrets: [{ where: 'webhook.auth_encrypted of w', reason: 'no key' }] } },
      'problem',
      '1 secrets cannot be read',
    ],
    [{ content: { lastBackup: undefined } }, 'note', 'was never backed up'],
    [
      { content: { lastBackup: { takenAt: new Date('2026-04-01T00:00:00Z'), keyId: 'k1' } } },
      'note',
      'is 39 days old; the key "k1"',
    ],
    [
      { content: { sending: { ...content.sending, dispatchers: 0 } } },
      'note',
      'No host is sending; 3 messages wait.',
    ],
    [
      { content: { sending: { ...content.sending, overdueMs: 600_000 } } },
      'problem',
      'due for 10 minutes, and 2 are sending: see their log',
    ],
    [
      { content: { sending: { ...content.sending, overdueMs: 600_000, dispatchers: 0 } } },
      'problem',
      'no host is sending: start one',
    ],
    [
      { content: { sending: { ...content.sending, pausedDestinations: 2 } } },
      'note',
      '2 destinations are paused',
    ],
  ] as const)('%j', (changed, status, message) => {
    expect(other(judge(changed))).toEqual([
      expect.objectContaining({ status, message: expect.stringContaining(message) }),
    ]);
  });
});

test('a role that cannot see others’ transactions: how to grant it', () => {
  const vacuum = judge({ server: { seesTransactions: false } }).find(({ check }) => check === 'vacuum');
  expect(vacuum).toMatchObject({ status: 'ok', message: expect.stringContaining('GRANT pg_read_all_stats') });
});

test('a database of another version', () => {
  const of = (schema: Partial<DatabaseExamination>) =>
    other(
      judgeDatabase(
        {
          server,
          missingMigrations: [],
          unknownMigrations: [],
          tooOld: undefined,
          content: undefined,
          ...schema,
        },
        ['k1'],
        now,
      ),
    );
  expect(of({ missingMigrations: ['0099-next'] })).toMatchObject([
    { status: 'problem', message: expect.stringContaining('lacks 0099-next') },
  ]);
  expect(of({ unknownMigrations: ['0099-next'] })).toMatchObject([
    { status: 'note', message: expect.stringContaining('hosts of this version can go on') },
  ]);
  expect(of({ unknownMigrations: ['0099-next'], tooOld: '0099-next needs a version with 0098' })).toEqual([
    {
      check: 'migrations',
      status: 'problem',
      message: 'This version is too old: 0099-next needs a version with 0098.',
    },
  ]);
});

test('settings that open too much, or are seen by others in the clear', () => {
  const of = (variables: Record<string, string>) =>
    judgeSettings(readSettings(variables)).map(({ status, message }) => [status, message]);
  expect(of({ BASE_URL: 'https://waivers.example.com' })).toEqual([
    ['ok', 'A host listens on 127.0.0.1:8080; others call it at https://waivers.example.com.'],
    ['ok', 'Only public addresses are called, by https.'],
  ]);
  const outbound = (OUTBOUND_ALLOW: string) => of({ OUTBOUND_ALLOW })[1];
  expect(outbound('10.0.0.0/8,::1/128')).toEqual(['note', expect.stringContaining('10.0.0.0/8, ::1/128')]);
  expect(outbound('169.254.0.0/16')).toEqual([
    'problem',
    expect.stringContaining('clouds give out credentials'),
  ]);
  expect(outbound('fd00::/8')).toEqual(['problem', expect.stringContaining('opens fd00::/8, with')]);
  expect(outbound('8.0.0.0/7')).toEqual(['problem', expect.stringContaining('public addresses too')]);
  expect(outbound('2000::/3')).toEqual(['problem', expect.stringContaining('public addresses too')]);
  expect(of({ BASE_URL: 'http://waivers.example.com' })[0]).toEqual([
    'note',
    expect.stringContaining('in the clear'),
  ]);
  expect(of({})[0]).toEqual(['note', expect.stringContaining('BASE_URL is not set')]);
});

test('a disk that is nearly full, and spans of time', () => {
  const gibibyte = 1024 ** 3;
  expect(judgeRoom('/data', { free: 0.5 * gibibyte, total: gibibyte }).status).toBe('problem');
  expect(judgeRoom('/data', { free: 2 * gibibyte, total: 100 * gibibyte }).status).toBe('note');
  expect(judgeRoom('/data', { free: 20 * gibibyte, total: 100 * gibibyte })).toEqual({
    check: 'disk',
    status: 'ok',
    message: '20 GB (20 %) of the disk of /data are free.',
  });
  expect([0, 61_000, 7_200_000, 86_400_000].map(inWords)).toEqual([
    '0 seconds',
    '1 minute',
    '2 hours',
    '1 day',
  ]);
});
