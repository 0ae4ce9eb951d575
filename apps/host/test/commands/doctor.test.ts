import type { DatabaseExamination } from '@waiver-service/operations/data';
import { describe, expect, test } from 'vitest';
import { judgeRoom, judgeSettings } from '../../src/commands/doctor/doctor.ts';
import { inWords, judgeDatabase } from '../../src/commands/doctor/judge-database.ts';
import { readSettings } from '../../src/settings/read-settings.ts';

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
