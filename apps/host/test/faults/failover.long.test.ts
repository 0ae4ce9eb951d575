import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { chown, copyFile, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { until } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { callInTurn, createFleet } from '../harness/fleet.ts';
import { startForwarder } from '../harness/forwarder.ts';
import { keepSigning } from '../harness/keep-signing.ts';
import { startOwnPostgres } from '../harness/own-postgres.ts';
import { expectAllRecorded, untilRecorded } from '../harness/recorded-writes.ts';
import { startTestHost } from '../harness/test-host.ts';
import { makeSendingPool, startTimedReceiver } from '../harness/timed-receiver.ts';

/** A primary and its synchronous standby, at one address that leads to whichever is the primary. */
interface ReplicatedPostgres {
  readonly url: string;
  /** Kills the primary as where its machine vanishes: no connection to it ends. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Moves the address to the primary. */
  moveAddress(): void;
  remove(): Promise<void>;
}

interface Server {
  readonly embedded: EmbeddedPostgres;
  readonly temporary: string;
}

// As PostgreSQL's documentation of base backups says.
const emptied =
  /^(?:pg_wal|pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;

const leftOut = /^(?:postmaster\.(?:pid|opts)|.*pgsql_tmp.*)$/;

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const dataNameOf = ({ embedded }: Server) =>
  readdirSync(embedded.dataDir).find((name) => /^postgres-\d+$/.test(name)) ?? '';

const dataOf = (server: Server) => join(server.embedded.dataDir, dataNameOf(server));

const socketOf = ({ embedded }: Server) =>
  join(new URLSearchParams(embedded.url.split('?')[1]).get('host') ?? '', '.s.PGSQL.5432');

async function connectTo({ embedded }: Server): Promise<Client> {
  const client = new Client({ connectionString: embedded.url });
  await client.connect();
  return client;
}

async function query(server: Server, text: string) {
  const client = await connectTo(server);
  try {
    const { rows } = await client.query(text);
    return rows;
  } finally {
    await client.end();
  }
}

function makeFolder(): string {
  const temporary = mkdtempSync(join(tmpdir(), 'waiver-faults-'));
  // The database's user must be able to pass through, where the tests run as root.
  chmodSync(temporary, 0o711);
  return temporary;
}

async function startServer(temporary: string): Promise<Server> {
  return { embedded: await startEmbeddedPostgres({ dataDir: temporary, onMessage: () => {} }), temporary };
}

/** Copies the files of a running server, which has been told that a backup is taken. */
async function copyData(from: string, to: string, path = ''): Promise<void> {
  const target = join(to, path);
  const stats = await lstat(join(from, path));
  if (stats.isDirectory()) {
    await mkdir(target, { mode: 0o700 });
    for (const name of await readdir(join(from, path))) {
      const inner = join(path, name);
      if (emptied.test(inner) || leftOut.test(name)) continue;
      await copyData(from, to, inner).catch((error: unknown) => {
        // The server removed it meanwhile.
        if (!isMissing(error)) throw error;
      });
    }
  } else await copyFile(join(from, path), target);
  await chown(target, stats.uid, stats.gid);
}

/** Copies a running primary into a new folder, from which a standby can start. */
async function copyAsStandby(primary: Server, port: number): Promise<string> {
  const temporary = makeFolder();
  const data = join(temporary, dataNameOf(primary));
  const client = await connectTo(primary);
  try {
    await client.query("select pg_backup_start('standby', true)");
    await copyData(dataOf(primary), data);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await writeFile(join(data, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
  await writeFile(join(data, 'standby.signal'), '');
  const { uid, gid } = await lstat(data);
  for (const name of ['backup_label', 'standby.signal']) await chown(join(data, name), uid, gid);
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `synchronous_standby_names = ''
primary_conninfo = 'host=127.0.0.1 port=${port} user=waiver_service application_name=standby'
`,
  );
  return temporary;
}

/**
 * Starts a primary with a standby.
 *
 * @param linkDelayMs - how long it takes from one to the other, each way
 */
async function startReplicatedPostgres(linkDelayMs: number): Promise<ReplicatedPostgres> {
  const address = await startForwarder();
  const link = await startForwarder({ delayMs: linkDelayMs });
  const folders: string[] = [];
  const start = (temporary: string) => {
    folders.push(temporary);
    return startServer(temporary);
  };
  const first = await start(makeFolder());
  await query(first, "alter system set wal_keep_size = '512MB'");
  link.leadTo(socketOf(first));
  const standby = await start(await copyAsStandby(first, link.port));
  const isStreaming = async () => {
    const rows = await query(first, 'select state from pg_stat_replication');
    return rows.some(({ state }) => state === 'streaming');
  };
  await until(isStreaming, 'the standby to have caught up', 60_000);
  const block = documentedBlock('docs/operating.md', 'ALTER SYSTEM SET synchronous_standby_names');
  const statements = block.replace('(a, b)', '(standby)').trim().split('\n');
  for (const statement of statements) await query(first, statement);
  let primary = first;
  const moveAddress = () => address.leadTo(socketOf(primary));
  moveAddress();
  return {
    url: `postgresql://waiver_service@127.0.0.1:${address.port}/postgres`,
    async killPrimary() {
      const [processId] = readFileSync(join(dataOf(first), 'postmaster.pid'), 'utf8').split('\n');
      // Nothing that it acknowledges from here on is heard.
      address.vanish();
      link.cut();
      process.kill(Number(processId), 'SIGKILL');
      await first.embedded.stop();
    },
    async promote() {
      const [row] = await query(standby, 'select pg_promote(true, 60) as done');
      if (row.done !== true) throw new Error('the standby could not be promoted');
      primary = standby;
    },
    moveAddress,
    async remove() {
      await standby.embedded.stop();
      await first.embedded.stop();
      await Promise.all([address.close(), link.close()]);
      for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

// As far apart as two zones of a region, and their network is slow: unreplicated commits are lost.
const linkDelayMs = 20;

test('the primary vanished under load and its synchronous standby promoted: nothing lost, nothing out of order, hosts recover by themselves', async () => {
  const server = await startReplicatedPostgres(linkDelayMs);
  onTestFinished(() => server.remove());
  const receiver = await startTimedReceiver(() => 'taken');
  const fleet = createFleet({
    DATABASE_URL: server.url,
    // After an attempt lost to our fault, the backoff would outlast this test.
    RETRY_SCHEDULE: ['0s', ...Array(9).fill('1h')].join(','),
    LOG_LEVEL: 'fatal',
  });
  const host = await fleet.join();
  await fleet.join();
  const token = await makeSendingPool(host, receiver);
  const load = keepSigning(callInTurn(fleet, token));

  await receiver.untilMore();
  const killedAt = performance.now();
  await server.killPrimary();
  await server.promote();
  server.moveAddress();
  const next = await until(
    () => load.accepted.find(({ at, durationMs }) => at - durationMs > killedAt),
    'a write to be accepted',
    60_000,
  );
  for (const each of fleet.hosts) {
    const isReady = async () => (await each.call('GET', '/readyz')).status === 200;
    await until(isReady, 'the host to be ready by itself', 60_000);
  }
  await receiver.untilMore();
  await untilRecorded({ host, receiver }, await load.end());

  await expectAllRecorded(
    { host, token, load, receiver },
    { 'no write accepted for': `${((next.at - killedAt) / 1_000).toFixed(1)} s` },
  );
  for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
  await receiver.close();
}, 180_000);

test('a primary that has become a standby: not ready, 503 for what would be written, and all well once it is primary again', async () => {
  const server = await startOwnPostgres();
  const host = await startTestHost({ DATABASE_URL: server.url });
  onTestFinished(async () => {
    await host.close();
    await server.remove();
  });
  const { accessToken } = await host.preparePool('p');
  const sign = (id: string) => host.call('POST', '/v1/pools/p/waivers', { id, answers: { name: 'Ada' } });
  const readiness = async () => (await host.call('GET', '/readyz')).status;
  // The audit log records a person's reads first, and the first use of a token is recorded, too: not on a standby.
  const read = () => host.call('GET', '/v1/pools/p/waivers', undefined, { token: accessToken });
  expect((await read()).status).toBe(200);
  expect(await readiness()).toBe(200);
  expect((await sign('W-before')).status).toBe(201);

  await server.stop();
  server.becomeStandby();
  await server.start();
  await until(async () => (await read()).status === 200, 'the standby to answer', 60_000);
  const refused = await sign('W-during');
  expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  // Readiness is cached for a quarter of a second.
  await until(async () => (await readiness()) === 503, 'the host to be ready no more');
  expect((await host.call('GET', '/healthz')).status).toBe(200);

  await server.stop();
  server.becomePrimary();
  await server.start();
  await until(async () => (await readiness()) === 200, 'the host to be ready again', 60_000);
  expect((await sign('W-during')).status).toBe(201);
});
