import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { Client } from 'pg';

/** A PostgreSQL of one test's own, which it may stop as it likes; its address stays the same. */
export interface OwnPostgres {
  readonly url: string;
  start(): Promise<void>;
  /** Stops it as an operator does (fast shutdown): aborts transactions, flushes everything to disk. */
  stop(): Promise<void>;
  /** Ends it as a crash does: the next start has to recover. */
  crash(): Promise<void>;
  /** Makes the next start that of a standby, which takes no writes, or of a primary again. */
  becomeStandby(): void;
  becomePrimary(): void;
  /** The folder with the files of its tables. */
  tables(): string;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Starts one in a new folder. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waiver-faults-'));
  // The database's user must be able to pass through, where the tests run as root.
  chmodSync(dataDir, 0o711);
  const begin = () => startEmbeddedPostgres({ dataDir, onMessage: () => {} });
  let server: EmbeddedPostgres | undefined = await begin();
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  const folder = server.dataDir;
  const data = () => join(folder, readdirSync(folder).find((name) => /^postgres-\d+$/.test(name)) ?? '');
  const standbySignal = () => join(data(), 'standby.signal');
  return {
    url: server.url,
    async start() {
      server ??= await begin();
    },
    stop,
    async crash() {
      const [processId] = readFileSync(join(data(), 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(processId), 'SIGQUIT');
      await stop();
    },
    becomeStandby() {
      const { uid, gid } = statSync(data());
      writeFileSync(standbySignal(), '');
      chownSync(standbySignal(), uid, gid);
    },
    tables: () => join(data(), 'base'),
    becomePrimary: () => rmSync(standbySignal()),
    async remove() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A lock of a table under which processes go on, but block as soon as they write to it. */
interface TableLock {
  /** Resolves when a process blocks. Rejects after two minutes. */
  untilBlocked(): Promise<void>;
  /** Ends the blocked connections, as a crash of their machine would, and unlocks. */
  release(): Promise<void>;
}

/** Locks a table. */
export async function lockTable(databaseUrl: string, table: string): Promise<TableLock> {
  const blockedBackends = `
    select pid from pg_locks where not granted and relation = '${table}'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in share row exclusive mode`);
  return {
    async untilBlocked() {
      const deadline = Date.now() + 120_000;
      while ((await client.query(blockedBackends)).rowCount === 0) {
        if (Date.now() > deadline) throw new Error(`no process has waited for ${table} within two minutes`);
        await delay(10);
      }
    },
    async release() {
      await client.query(`select pg_terminate_backend(pid) from (${blockedBackends}) as blocked`);
      await client.query('rollback');
      await client.end();
    },
  };
}
