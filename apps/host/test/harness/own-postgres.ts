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
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';

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
