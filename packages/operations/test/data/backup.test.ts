import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EncryptionKey,
  type MigrationWait,
  runMigrations,
  UnsuitableDatabase,
  WrongEncryptionKeys,
} from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { openStore, type Store } from '@waiver-service/store';
import { type FeatureData, schema } from '@waiver-service/store/features';
import { openTestStore, testKey } from '@waiver-service/store/testing';
import type { NewWaiver } from '@waiver-service/waivers';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { examineDatabase } from '../../src/data/examine-database.ts';
import { restoreBackup } from '../../src/data/restore-backup.ts';
import { BackupProblem, seal, unseal } from '../../src/data/sealed-file.ts';
import { asRestrictedRole, onSingleConnection } from '../../src/data/single-connection.ts';
import { operationsData } from '../../src/data/tables.ts';
import { writeBackup } from '../../src/data/write-backup.ts';
import { checksums, queryOnce } from '../setup/all-tables.ts';

const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

const key = testKey('k1');
const encryptionKeys = [key];
/** The second one's boats are restored, its tickets are not. */
const features: readonly FeatureData[] = [
  operationsData,
  {
    migrations: {
      '0001-baseline': {
        statements: ['create table boat (id text primary key); create table ticket (id text primary key);'],
      },
    },
    notRestored: ['ticket'],
  },
];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waiver-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  return url;
}

const waiver = (given: Partial<NewWaiver>): NewWaiver => ({
  id: 'w',
  pool: 'p1',
  bookingSystem: 'standard',
  bookingId: 'b1',
  bookingGuestId: 'g1',
  activities: [],
  currentPage: null,
  answers: { name: 'Ann' },
  ...given,
});

/** A store with something of nearly everything, and texts that COPY has to escape. */
async function openFull(keys: readonly EncryptionKey[] = encryptionKeys) {
  const { close, ...opened } = await openTestStore({ keys, empty: true, features });
  onTestFinished(close);
  const { store, query } = opened;
  await store.pools.put({ id: 'p1', name: 'Pool 1' });
  await store.installations.install({
    bookingSystem: 'standard',
    pool: 'p1',
    accountId: 'a1',
    apiKey: 'partner-key',
    information: {},
    writeUnit: 'waiver',
    takesGuestUpdates: true,
    guestId: 'booking-guest-id',
    keyOverlapMs: 0,
    madeBy: 'operator',
  });
  await store.webhooks.create('p1', {
    url: 'https://receiver.example/hook',
    auth: { type: 'none' },
    properties: ['name'],
    signing: false,
  });
  await query(`insert into boat values ('b1')`);
  await query(`insert into ticket values ('t1')`);
  await store.accessTokens.create('p1');
  const names = [
    'tab\there',
    'line\nbreak\r\n',
    'back\\slash \\N \\.',
    '\\.',
    'Zoë 🌊',
    '"quoted", {a}',
    '  ',
  ];
  for (const [index, name] of names.entries())
    await store.waivers.create(waiver({ id: `w${index}`, answers: { name, email: null, notes: '\\N' } }));
  await store.waivers.update('p1', 'w1', { currentPage: null, answers: { name: 'Bo' } });
  await store.waivers.void('p1', 'w2');
  await query(`insert into journal (dispatcher, ids) select gen_random_uuid(), array_agg(id) from pending`);
  await query(
    `insert into ended (id, pool, state, attempts) select id, pool, 'dead', 3 from pending limit 1`,
  );
  await query(`insert into attempt (pool, delivery, at, duration_ms, outcome, trigger, response)
    select pool, id, now(), 12, 'failed', 'schedule', E'no\\nthanks' from pending`);
  return opened;
}

const write = (databaseUrl: string, file: string, keys: readonly EncryptionKey[] = encryptionKeys) =>
  writeBackup({ databaseUrl, encryptionKeys: keys, features, file });
const restore = (databaseUrl: string, file: string, keys: readonly EncryptionKey[] = encryptionKeys) =>
  restoreBackup({ databaseUrl, encryptionKeys: keys, features, file });

async function readChanges(store: Store, after?: string) {
  const page = await store.changes.read('p1', {
    after,
    limit: 100,
    waitMs: 0,
    signal: new AbortController().signal,
  });
  if ('outcome' in page) throw new Error(page.outcome);
  return page;
}

test('a restored database equals its source in every table and sequence', async () => {
  const { url } = await openFull();
  const file = join(temporaryFolder(), 'backup');
  const before = await checksums(url);
  const progress: number[] = [];
  const written = await writeBackup({
    databaseUrl: url,
    encryptionKeys,
    features,
    file,
    onProgress: ({ number }) => progress.push(number),
  });
  expect(written).toMatchObject({ file, keyId: 'k1', fileBytes: statSync(file).size });
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  const { content } = await examineDatabase({ databaseUrl: url, encryptionKeys, features });
  expect(content?.lastBackup).toEqual({ takenAt: written.takenAt, keyId: 'k1' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes('Ann')).toBe(false);

  const target = await emptyDatabase();
  const restored = await restore(target, file);
  expect(restored).toMatchObject({
    takenAt: written.takenAt,
    tables: written.tables,
    rows: written.rows,
    migrated: [],
    leftOut: [],
    keyUses: [{ keyId: 'k1', values: expect.any(Number) }],
  });
  expect(restored.pending).toBeGreaterThan(0);
  // The clock of changes is no longer right: the next start begins again.
  const { change_clock: _former, ticket: _tickets, ...others } = before;
  const { change_clock: _clock, ticket, ...after } = await checksums(target);
  expect(after).toEqual(others);
  expect(ticket).toBe('0 ');
});

test('a restored database works: readers of changes start over, secrets open, rows keep their ids apart', async () => {
  const { url, store } = await openFull();
  const file = join(temporaryFolder(), 'backup');
  const first = await readChanges(store);
  await write(url, file);
  const target = await emptyDatabase();
  await restore(target, file);
  const again = await openStore({ databaseUrl: target, encryptionKeys, features });
  onTestFinished(() => again.close());
  expect(await again.installations.get('p1', 'standard')).toMatchObject({
    account: { apiKey: 'partner-key' },
  });
  expect(await again.waivers.create(waiver({ id: 'after' }))).toMatchObject({ outcome: 'created' });
  const { items } = await readChanges(again, first.next);
  // The new one is listed when no older transaction runs in the cluster, which other tests use.
  const ids = items.map(({ id }) => id).filter((id) => id !== 'after');
  expect(ids.toSorted()).toEqual(['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6']);
  await expect(queryOnce(target, `insert into boat values ('b1')`)).rejects.toThrow('duplicate key');
  await expect(
    queryOnce(target, 'insert into backup (taken_at, key_id, file_bytes) values (now(), 1, 1)'),
  ).resolves.toEqual([]);
});

longTest('a backup is of one moment, despite writes meanwhile', async () => {
  const { url, store, query } = await openFull();
  const file = join(temporaryFolder(), 'backup');
  const count = async (database: string) =>
    Number((await queryOnce(database, 'select count(*) as count from waiver'))[0]?.count);
  let number = 0;
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      number += 1;
      await store.waivers.create(waiver({ id: `m${number}`, bookingGuestId: null }));
    }
  })();
  for (let round = 0; round < 3; round += 1) await write(url, file);
  isOver = true;
  await writing;
  expect(await count(url)).toBeGreaterThan(10);
  const target = await emptyDatabase();
  await restore(target, file);
  expect(await count(target)).toBeLessThanOrEqual(await count(url));
  // Each was stored with its delivery, and each delivery waits or has ended.
  const broken = `select w.id from waiver w
    left join delivery d on d.waiver_id = w.id and d.pool = w.pool
    left join pending p on p.id = d.id left join ended e on e.id = d.id
    where w.id like 'm%' and p.id is null and e.id is null
    union all select p.waiver_id from pending p left join waiver w on w.id = p.waiver_id where w.id is null`;
  expect(await queryOnce(target, broken)).toEqual([]);
  expect(await query('select count(*)::integer as count from backup')).toEqual([{ count: 3 }]);
});

test('a database that is not empty is refused and stays as it is, and so is one of a newer version', async () => {
  const { url, query } = await openFull();
  const file = join(temporaryFolder(), 'backup');
  await write(url, file);
  const before = await checksums(url);
  await expect(restore(url, file)).rejects.toThrow(
    /the database is not empty \(it has .*\bwaiver\b.*\): restore into a new one/,
  );
  expect(await checksums(url)).toEqual(before);
  await query(`insert into migration (name, needs) values ('9999-future', '')`);
  await expect(write(url, file)).rejects.toThrow(UnsuitableDatabase);
  await expect(write(await emptyDatabase(), file)).rejects.toThrow('has no tables of the waiver service');
});

longTest(
  'tables of an extension are neither in the way nor touched, and those of others are left out',
  async () => {
    const { url, query } = await openFull();
    const file = join(temporaryFolder(), 'backup');
    const target = await emptyDatabase();
    for (const each of [url, target]) {
      await queryOnce(each, 'create extension pg_buffercache');
      await queryOnce(each, 'create table of_extension as select 1 as row');
      await queryOnce(each, 'alter extension pg_buffercache add table of_extension');
    }
    const { change_clock: _former, ticket: _tickets, ...before } = await checksums(url);
    await query('create table of_others as select 1 as row');
    await write(url, file);
    expect(await restore(target, file)).toMatchObject({ leftOut: ['of_others'] });
    const { change_clock: _clock, ticket: _none, ...after } = await checksums(target);
    expect(after).toEqual(before);
  },
);

longTest(
  'a damaged backup restores nothing, and the next one can be restored into the same database',
  async () => {
    const { url } = await openFull();
    const folder = temporaryFolder();
    const file = join(folder, 'backup');
    await write(url, file);
    const bytes = readFileSync(file);
    const damaged = join(folder, 'damaged');
    const target = await emptyDatabase();
    for (const content of [
      bytes.subarray(0, -1),
      Buffer.concat([bytes.subarray(0, -20), Buffer.from('x'), bytes.subarray(-19)]),
      Buffer.from('something else'),
    ]) {
      writeFileSync(damaged, content);
      await expect(restore(target, damaged)).rejects.toThrow(BackupProblem);
      expect(
        await queryOnce(target, `select 1 from pg_class where relnamespace = 'public'::regnamespace`),
      ).toEqual([]);
    }
    await expect(restore(target, join(folder, 'missing'))).rejects.toThrow(
      /the file .*missing cannot be used: ENOENT/,
    );
    await expect(restore(target, file, [testKey('k2')])).rejects.toThrow(
      'the backup is encrypted with the key "k1", which is not among ENCRYPTION_KEYS (k2)',
    );
    await expect(restore(target, file, [testKey('k1')])).rejects.toThrow('another key under the same id');
    await restore(target, file);
  },
);

test('without room, with keys of another database or when it is stopped, no file is left', async () => {
  const { url } = await openFull();
  const folder = temporaryFolder();
  const file = join(folder, 'backup');
  const options = { databaseUrl: url, encryptionKeys, features, file };
  await expect(writeBackup({ ...options, freeBytes: async () => 1_000_000 })).rejects.toThrow(
    /less than 256 MB are free in .*: name a file on another disk/,
  );
  await expect(write(url, file, [testKey('k1')])).rejects.toThrow(WrongEncryptionKeys);
  const stop = new AbortController();
  const stopped = writeBackup({ ...options, signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toThrow(/abort/i);
  expect(readdirSync(folder)).toEqual([]);
  await expect(write(url, join(folder, 'nowhere', 'backup'))).rejects.toThrow(
    /the file .*backup cannot be used: ENOENT/,
  );
  await expect(write(url, folder)).rejects.toThrow(BackupProblem);
});

test('a database that goes away in the middle ends the backup, and leaves no file', async () => {
  const { url } = await openFull();
  const folder = temporaryFolder();
  const admin = new Client({ connectionString: url });
  await admin.connect();
  onTestFinished(() => admin.end());
  const broken = writeBackup({
    databaseUrl: url,
    encryptionKeys,
    features,
    file: join(folder, 'backup'),
    // Called while a table is being read, and waited for.
    freeBytes: async () => {
      await admin.query(`select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where state <> 'idle' and pid <> pg_backend_pid() and datname = current_database()`);
      return Number.MAX_SAFE_INTEGER;
    },
  });
  // In the words of the server, or of the socket, whichever was heard first.
  await expect(broken).rejects.toThrow(
    /^the connection to the database was lost \(.+\): run the command again when the database is there$/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

longTest(
  'a migration waits until a backup has ended, with nothing behind it; a host without one starts meanwhile',
  async () => {
    const { url, query } = await openFull();
    const database = schema.connect({
      databaseUrl: url,
      maxConnections: 1,
      statementTimeoutMs: 0,
      onConnectionError: () => {},
    });
    onTestFinished(() => database.destroy());
    const waits: MigrationWait[] = [];
    let migrating: Promise<void> | undefined;
    await writeBackup({
      databaseUrl: url,
      encryptionKeys,
      features,
      file: join(temporaryFolder(), 'backup'),
      // Called while the snapshot is open.
      freeBytes: async () => {
        await (await openStore({ databaseUrl: url, encryptionKeys, features })).close();
        migrating ??= runMigrations(database, {
          migrations: {
            '9999-of-tomorrow': { statements: ['alter table waiver add column of_tomorrow text'] },
          },
          onWait: (wait) => void waits.push(wait),
        });
        await expect.poll(() => waits.length).toBeGreaterThan(1);
        return Number.MAX_SAFE_INTEGER;
      },
    });
    await migrating;
    expect(waits[0]).toEqual({ migration: '9999-of-tomorrow', waitsFor: 'turn', attempts: 1 });
    expect(await query('select of_tomorrow from waiver limit 0')).toEqual([]);
  },
);

test('a restore brings back no visit to an authorization page', async () => {
  const { url, store } = await openFull();
  const destination = String(
    (await queryOnce(url, 'select destination_id from installation'))[0]?.destination_id,
  );
  const visit = {
    destination,
    bookingSystem: 'standard',
    state: 's',
    browser: 'b',
    codeVerifier: 'v',
    maxAgeMs: 60_000,
  };
  await store.authorizationRequests.begin(visit);
  const file = join(temporaryFolder(), 'backup');
  await write(url, file);
  const target = await emptyDatabase();
  await restore(target, file);
  const restored = await openStore({ databaseUrl: target, encryptionKeys, features });
  onTestFinished(() => restored.close());
  expect(await restored.authorizationRequests.take('standard', visit)).toBeUndefined();
});

/** Seals a backup whose manifest someone with the key has changed. */
async function forgedBackup(file: string, change: (tables: { name: string; columns: string[] }[]) => void) {
  const { url } = await openFull();
  await writeBackup({ databaseUrl: url, encryptionKeys, features, file });
  const handle = await open(file, 'r');
  const chunks: Buffer[] = [];
  for await (const chunk of unseal(handle, encryptionKeys)) chunks.push(chunk);
  await handle.close();
  const manifest = JSON.parse(String(chunks[0]));
  change(manifest.tables);
  async function* forged() {
    yield Buffer.from(JSON.stringify(manifest));
    yield* chunks.slice(1);
  }
  const parts: Buffer[] = [];
  for await (const part of seal(forged(), key)) parts.push(part);
  writeFileSync(file, Buffer.concat(parts));
}

test('a backup names tables and columns only: none of its names can become a statement', async () => {
  const folder = temporaryFolder();
  const [file, made] = [join(folder, 'forged.backup'), join(folder, 'made')];
  const hostile = `id") from program 'touch ${made}' --`;
  for (const change of [
    ({ columns }: { columns: string[] }) => columns.splice(0, 1, hostile),
    ({ columns }: { columns: string[] }) => columns.push('id'),
    ({ columns }: { columns: string[] }) => columns.push('no_such_column'),
  ]) {
    await forgedBackup(file, ([table]) => {
      if (table !== undefined) change(table);
    });
    const databaseUrl = await emptyDatabase();
    await expect(restoreBackup({ databaseUrl, encryptionKeys, features, file })).rejects.toThrow(
      /^the backup describes the table "[a-z_]+" otherwise than this service has it/,
    );
    expect(readdirSync(folder)).toEqual(['forged.backup']);
    expect(
      await queryOnce(databaseUrl, `select tablename from pg_tables where schemaname = 'public'`),
    ).toEqual([]);
  }
});

test('a restore is no work for a superuser: its role can run no program, and is gone afterwards', async () => {
  const databaseUrl = await emptyDatabase();
  const [before] = await queryOnce(databaseUrl, 'select current_user as name');
  await asRestrictedRole(databaseUrl, async (restricted) => {
    expect(restricted).not.toBe(databaseUrl);
    await onSingleConnection(restricted, async ({ client }) => {
      await client.query('create table restored (id text)');
      for (const statement of [
        `copy restored from program 'echo run'`,
        `copy restored from '/etc/passwd'`,
        `set role ${String(before?.name)}`,
      ])
        await expect(client.query(statement)).rejects.toThrow(/permission denied/);
    });
  });
  expect(
    await queryOnce(
      databaseUrl,
      `select tableowner = current_user as mine, (select count(*)::int from pg_roles where rolname like 'waiver\\_service\\_restore%') as roles
      from pg_tables where tablename = 'restored'`,
    ),
  ).toEqual([{ mine: true, roles: 0 }]);
});

test('a restore is refused to a superuser where the server lets no other role connect', async () => {
  const { url } = await openFull();
  const file = join(temporaryFolder(), 'backup');
  await write(url, file);
  const target = await emptyDatabase();
  // Holds for all but superusers.
  await queryOnce(
    target,
    `do $$ begin execute format('alter database %I connection limit 0', current_database()); end $$`,
  );
  await expect(restore(target, file)).rejects.toThrow(
    /^a restore is not done as a superuser, and the server does not let the role connect .*: restore as a user who is no superuser/,
  );
  expect(await queryOnce(target, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
  expect(
    await queryOnce(target, `select from pg_roles where rolname like 'waiver\\_service\\_restore%'`),
  ).toEqual([]);
});
