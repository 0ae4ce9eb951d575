import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { Client } from 'pg';
import { type Receivers, startReceivers } from '../receivers/receivers.ts';
import type { Figure } from './measuring.ts';
import { parentOf, watchProcessors } from './processor-times.ts';

type Undo = () => unknown;

/** The environment of a row: one PostgreSQL and one receiver process shared by all rows, and its own databases. */
export interface Ground {
  /** Aborts when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Scales a number of messages, lanes or milliseconds down for a smoke test. */
  size(usual: number): number;
  /** A new database without tables, dropped after the row. */
  database(): Promise<TestDatabase>;
  receivers(): Promise<Receivers>;
  /** Watches the processor time of these processes, as `sender`, and of PostgreSQL and the receivers. */
  watch(senders: readonly (number | undefined)[]): Promise<(messages: number) => Figure[]>;
  /** Runs `undo` after the row, in reverse order. */
  defer(undo: Undo): void;
  /** A ground whose databases and deferred cleanup last until the run ends: for resources that rows share. */
  ofRun(): Ground;
}

export interface OwnedGround extends Ground {
  /** The PostgreSQL version and its durability settings. */
  describePostgres(): Promise<string>;
  /** Runs a row's deferred cleanup. */
  clear(): Promise<void>;
  /** Also stops the receivers and PostgreSQL. */
  close(): Promise<void>;
}

export interface GroundOptions {
  readonly signal: AbortSignal;
  /** 1 for a measurement; less for a smoke test. */
  readonly scale: number;
  /** An existing PostgreSQL; by default, one is started with users' settings. */
  readonly serverUrl?: string;
}

const smallest = 8;

/** Starts a PostgreSQL in a temporary folder, with the host's own settings: like a user's, it waits for the disk. */
async function startPostgres(until: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waiver-service-bench-'));
  until.defer(() => rm(dataDir, { recursive: true, force: true }));
  // Started by root, the server runs as another user, who needs access.
  await chmod(dataDir, 0o755);
  const { url, stop } = await startEmbeddedPostgres({
    dataDir,
    onMessage: (message) => console.error(message),
  });
  until.defer(() => stop());
  return url;
}

async function onServer<Result>(
  serverUrl: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The server's version and durability settings: `PostgreSQL 18.4, fsync on, …`. */
const describeServer = (serverUrl: string): Promise<string> =>
  onServer(serverUrl, async (client) => {
    const { rows } = await client.query<{ readonly text: string }>(`
      select format('PostgreSQL %s, fsync %s, synchronous_commit %s', current_setting('server_version'),
        current_setting('fsync'), current_setting('synchronous_commit')) as text`);
    return rows.map(({ text }) => text).join();
  });

/** The process that starts a process for each connection; undefined if the server is on another machine. */
const postmasterOf = (serverUrl: string): Promise<number | undefined> =>
  onServer(serverUrl, async (client) => {
    const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
    return rows[0] && parentOf(rows[0].pid);
  });

/** Everything is started lazily. */
export function createGround({ signal, scale, serverUrl }: GroundOptions): OwnedGround {
  const ofRun = new AsyncDisposableStack();
  let ofRow = new AsyncDisposableStack();
  let server: Promise<string> | undefined = serverUrl === undefined ? undefined : Promise.resolve(serverUrl);
  let receivers: Promise<Receivers> | undefined;
  const startedServer = () => (server ??= startPostgres(ofRun));
  const startedReceivers = () =>
    (receivers ??= startReceivers().then((started) => {
      ofRun.defer(() => started.close());
      return started;
    }));
  /** A ground whose cleanup belongs to the stack that is current at the time. */
  function groundUntil(stack: () => AsyncDisposableStack): Ground {
    return {
      signal,
      async database() {
        const created = await createEmptyDatabase(await startedServer());
        stack().defer(() => created.drop());
        return created;
      },
      size: (usual) => Math.max(Math.min(usual, smallest), Math.round(usual * scale)),
      async watch(senders) {
        const [{ pid }, postgres] = [await startedReceivers(), await postmasterOf(await startedServer())];
        const processes = (pids: readonly (number | undefined)[], withChildren = false) =>
          pids.filter((one) => one !== undefined).map((one) => ({ pid: one, withChildren }));
        return watchProcessors({
          sender: processes(senders),
          PostgreSQL: processes([postgres], true),
          receivers: processes([pid]),
        });
      },
      async receivers() {
        return startedReceivers();
      },
      defer: (undo) =>
        stack().defer(async () => {
          await undo();
        }),
      ofRun: () => groundUntil(() => ofRun),
    };
  }
  async function clear() {
    const done = ofRow;
    ofRow = new AsyncDisposableStack();
    await done.disposeAsync();
  }
  return {
    ...groundUntil(() => ofRow),
    async describePostgres() {
      if (server === undefined) return 'no row needed PostgreSQL';
      return describeServer(await server);
    },
    clear,
    async close() {
      await clear().finally(() => ofRun.disposeAsync());
    },
  };
}
