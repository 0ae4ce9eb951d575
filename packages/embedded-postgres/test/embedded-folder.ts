import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { findBinaries } from '../src/binaries.ts';
import { dataDirectoryIn } from '../src/cluster.ts';
import { readPostmaster, stopOrphan } from '../src/server.ts';

/** The data directory of a folder's database. */
export const dataDirectoryOf = (folder: string) => dataDirectoryIn(folder, findBinaries().majorVersion);

/** The server's process, from what it wrote about itself. */
export async function serverProcessOf(folder: string): Promise<number> {
  const postmaster = await readPostmaster(dataDirectoryOf(folder));
  if (postmaster === undefined) throw new Error(`no server on ${folder}`);
  return postmaster.processId;
}

/** A folder of the test's own that any user can enter; what runs in it is stopped and it is removed afterwards. */
export async function embeddedFolder(mode = 0o755): Promise<string> {
  const folder = join(tmpdir(), `waiver-service-${Math.random().toString(36).slice(2, 10)}`);
  await mkdir(folder, { mode });
  onTestFinished(async () => {
    await stopOrphan(dataDirectoryOf(folder));
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Runs one statement on a server. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A host in a separate process. */
interface SpawnedHost {
  readonly process: ChildProcess;
  /** Resolves with the rest of the first line that begins with a word. */
  line(word: string): Promise<string>;
  end(signal: 'SIGKILL' | 'stdin'): Promise<void>;
}

const program = fileURLToPath(new URL('host-process.ts', import.meta.url));

/** Starts a host on a data folder; it is killed when the test is over. */
export function spawnHost(
  dataDir: string,
  options: { ending?: 'stop' | 'exit'; uid?: number; gid?: number } = {},
): SpawnedHost {
  const { ending = 'stop', ...user } = options;
  const host = spawn(process.execPath, ['--conditions=@waiver-service/source', program, dataDir, ending], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    ...user,
  });
  const exited = once(host, 'exit');
  onTestFinished(async () => {
    host.kill('SIGKILL');
    await exited;
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  createInterface({ input: host.stdout })
    .on('line', (line) => {
      lines.push(line);
      wakeAll();
    })
    .on('close', () => void exited.then(wakeAll));
  return {
    process: host,
    async line(word) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(word));
        if (found !== undefined) return found.slice(word.length).trim();
        if (host.exitCode !== null || host.signalCode !== null)
          throw new Error(`the host ended without saying "${word}": ${lines.join('\n')}`);
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    async end(how) {
      if (how === 'SIGKILL') host.kill('SIGKILL');
      else host.stdin?.write('end\n');
      await exited;
    },
  };
}
