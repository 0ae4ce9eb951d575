import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { type MigrationWait, runMigrations } from '../../src/database/run-migrations.ts';
import { BackupProblem, type EncryptionKey, openStore, restoreBackup, writeBackup } from '../../src/index.ts';
import { checksums, queryOnce } from '../setup/all-tables.ts';
import { testKey } from '../setup/open-test-store.ts';
import { openOutbox, waiver } from '../setup/outbox-fixture.ts';

const key = testKey('k1');
const encryptionKeys = [key];

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

/** A store with something of nearly everything, and texts that COPY has to escape. */
async function openFull(keys: readonly EncryptionKey[] = encryptionKeys) {
  const opened = await openOutbox({ keys });
  const { store, query } = opened;
  await store.accessTokens.create('p1');
  await store.credentials.create({ name: 'Ada', role: 'owner' });
  const entry = await store.auditLog.begin({
    actor: 'admin-token',
    name: null,
    action: 'pool.put',
    pool: 'p1',
    target: null,
    requestId: 'r1',
    address: '203.0.113.7',
  });
  await store.auditLog.end(entry, { status: 200, target: 'p1' });
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
  writeBackup({ databaseUrl, encryptionKeys: keys, file });
const restore = (databaseUrl: string, file: string, keys: readonly EncryptionKey[] = encryptionKeys) =>
  restoreBackup({ databaseUrl, encryptionKeys: keys, file });

test('a backup is of one moment, despite writes meanwhile', async () => {
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

test('tables of an extension are neither in the way nor touched, and those of others are left out', async () => {
  const { url, query } = await openFull();
  const file = join(temporaryFolder(), 'backup');
  const target = await emptyDatabase();
  for (const each of [url, target]) {
    await queryOnce(each, 'create extension pg_buffercache');
    await queryOnce(each, 'create table of_extension as select 1 as row');
    await queryOnce(each, 'alter extension pg_buffercache add table of_extension');
  }
  const { change_clock: _former, ...before } = await checksums(url);
  await query('create table of_others as select 1 as row');
  await write(url, file);
  expect(await restore(target, file)).toMatchObject({ leftOut: ['of_others'] });
  const { change_clock: _clock, ...after } = await checksums(target);
  expect(after).toEqual(before);
});

test('a damaged backup restores nothing, and the next one can be restored into the same database', async () => {
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
});

test('a migration waits until a backup has ended, with nothing behind it; a host without one starts meanwhile', async () => {
  const { url, query } = await openFull();
  const database = connect({
    databaseUrl: url,
    maxConnections: 1,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  const waits: MigrationWait[] = [];
  const up = async () => {
    await query('alter table waiver add column of_tomorrow text');
  };
  let migrating: Promise<void> | undefined;
  await writeBackup({
    databaseUrl: url,
    encryptionKeys,
    file: join(temporaryFolder(), 'backup'),
    // Called while the snapshot is open.
    freeBytes: async () => {
      await (await openStore({ databaseUrl: url, encryptionKeys })).close();
      migrating ??= runMigrations(database, {
        migrations: { '9999-of-tomorrow': { up } },
        onWait: (wait) => void waits.push(wait),
      });
      await expect.poll(() => waits.length).toBeGreaterThan(1);
      return Number.MAX_SAFE_INTEGER;
    },
  });
  await migrating;
  expect(waits[0]).toEqual({ migration: '9999-of-tomorrow', waitsFor: 'turn', attempts: 1 });
  expect(await query('select of_tomorrow from waiver limit 0')).toEqual([]);
});
