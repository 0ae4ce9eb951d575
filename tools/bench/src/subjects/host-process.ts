import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { adminToken, encryptionKeysText } from './secrets.ts';

/** A host, as `npm start` runs it. */
export interface HostProcess {
  readonly url: string;
  /** Milliseconds from the start of the process to the line `listening on …`. */
  readonly readyAfterMs: number;
  /** Ends it in order (SIGTERM). */
  stop(): Promise<void>;
  /** Its log so far. */
  readLog(): string;
}

const maxShownCharacters = 2_000;
const hostProgram = join(import.meta.dirname, '../../../../apps/host/dist/main.js');

async function untilListening(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  return undefined;
}

/**
 * Starts a host with the settings that users have by default, on a free port. It may call this machine, and answers to
 * this run's admin token. It logs as usual, into a file that goes with it.
 */
export async function startHostProcess(
  settings: Readonly<Record<string, string>>,
  program = hostProgram,
): Promise<HostProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'waiver-service-bench-host-'));
  const logFile = join(folder, 'host.log');
  const log = openSync(logFile, 'w', 0o600);
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 'pipe', log],
    // Ctrl-C reaches the benchmarks alone, which then stop the host in order.
    detached: true,
    env: {
      PATH: process.env.PATH,
      // So that a profile of the benchmarks (`--cpu-prof`) is one of the hosts too.
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      PORT: '0',
      DRAIN_TIME: '0s',
      OUTBOUND_ALLOW: '127.0.0.1/32',
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeysText,
      ...settings,
    },
  });
  closeSync(log);
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  const ended = once(child, 'exit').finally(() => process.off('exit', endWithUs));
  const url = await untilListening(child);
  const readyAfterMs = performance.now() - startedAt;
  if (url === undefined) {
    await ended;
    const end = readFileSync(logFile, 'utf8').trim().slice(-maxShownCharacters);
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`the host ended before it listened: ${end}`);
  }
  // Whatever else it prints must not fill the pipe.
  child.stdout?.resume();
  return {
    url,
    readyAfterMs,
    readLog: () => readFileSync(logFile, 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
