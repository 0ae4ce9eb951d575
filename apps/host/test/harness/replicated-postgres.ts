import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { chown, copyFile, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { Client } from 'pg';
import { documentedBlock } from './documented-blocks.ts';
import { startForwarder } from './forwarder.ts';
import { until } from './test-host.ts';

/** How the connections to a killed server end: at once, or never, as where a machine or its network vanishes. */
export type LostConnections = 'broken' | 'vanished';

/** A primary and its standby, at one address that leads to whichever is the primary. */
export interface ReplicatedPostgres {
  readonly url: string;
  /** Cuts the primary off and kills it, with no warning. */
  killPrimary(connections: LostConnections): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Moves the address to the primary. */
  moveAddress(): void;
  /** Gives the primary a new standby, and waits until it has caught up. */
  addStandby(): Promise<void>;
  /** Ends the standby, for which commits go on to wait until they are told not to. */
  loseStandby(): Promise<void>;
  waitForNoStandby(): Promise<void>;
  remove(): Promise<void>;
}

export interface ReplicationOptions {
  /** Whether a commit waits until the standby has it. */
  readonly isSynchronous: boolean;
  /** How long it takes from one to the other, each way. */
  readonly linkDelayMs: number;
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

/** Starts a primary with a standby. */
export async function startReplicatedPostgres(options: ReplicationOptions): Promise<ReplicatedPostgres> {
  const address = await startForwarder();
  const link = await startForwarder({ delayMs: options.linkDelayMs });
  const folders: string[] = [];
  const start = (temporary: string) => {
    folders.push(temporary);
    return startServer(temporary);
  };
  let primary = await start(makeFolder());
  let standby: Server | undefined;
  await query(primary, "alter system set wal_keep_size = '512MB'");

  const moveAddress = () => address.leadTo(socketOf(primary));
  const waitForStandby = async () => {
    const block = documentedBlock('docs/operating.md', 'ALTER SYSTEM SET synchronous_standby_names');
    const statements = block.replace('(a, b)', '(standby)').trim().split('\n');
    for (const statement of statements) await query(primary, statement);
  };
  const addStandby = async () => {
    link.leadTo(socketOf(primary));
    standby = await start(await copyAsStandby(primary, link.port));
    const isStreaming = async () => {
      const rows = await query(primary, 'select state from pg_stat_replication');
      return rows.some(({ state }) => state === 'streaming');
    };
    await until(isStreaming, 'the standby to have caught up', 60_000);
    if (options.isSynchronous) await waitForStandby();
  };
  await addStandby();
  moveAddress();
  return {
    url: `postgresql://waiver_service@127.0.0.1:${address.port}/postgres`,
    async killPrimary(connections) {
      const [processId] = readFileSync(join(dataOf(primary), 'postmaster.pid'), 'utf8').split('\n');
      // Nothing that it acknowledges from here on is heard.
      if (connections === 'vanished') address.vanish();
      else address.cut();
      link.cut();
      process.kill(Number(processId), 'SIGKILL');
      await primary.embedded.stop();
    },
    async promote() {
      if (standby === undefined) throw new Error('there is no standby');
      primary = standby;
      standby = undefined;
      const [row] = await query(primary, 'select pg_promote(true, 60) as done');
      if (row.done !== true) throw new Error('the standby could not be promoted');
    },
    moveAddress,
    addStandby,
    async loseStandby() {
      link.cut();
      await standby?.embedded.stop();
      standby = undefined;
    },
    async waitForNoStandby() {
      await query(primary, "alter system set synchronous_standby_names = ''");
      await query(primary, 'select pg_reload_conf()');
    },
    async remove() {
      await standby?.embedded.stop();
      await primary.embedded.stop();
      await Promise.all([address.close(), link.close()]);
      for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
