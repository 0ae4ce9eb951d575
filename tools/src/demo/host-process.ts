import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The host, running as a process of its own. */
export interface HostProcess {
  readonly url: string;
  readonly adminToken: string;
  readonly logFile: string;
  /** Resolves when the process has ended, with its exit status. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, '../../../apps/host/dist/main.js');

/** Waits for `listening on <url>`; rejects with the end of the log where the process ends before. */
async function untilListening(child: ChildProcess, logFile: string): Promise<string> {
  if (child.stdout === null) throw new Error('the host has no standard output');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  const log = existsSync(logFile)
    ? readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')
    : '';
  throw new Error(`The host ended before it listened. The end of ${logFile}:\n${log}`);
}

/**
 * Starts the host on embedded PostgreSQL in `dataDir`. Its log goes to `<dataDir>.log`. A port of 0 takes a free
 * one. Calls to 127.0.0.1 are allowed, since the simulated booking system listens there.
 */
export async function startHostProcess({
  dataDir,
  port,
}: {
  dataDir: string;
  port: number;
}): Promise<HostProcess> {
  // Only the folder above: the host makes its own, with the mode that its PostgreSQL can live with.
  mkdirSync(dirname(dataDir), { recursive: true });
  const logFile = `${dataDir}.log`;
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches the demo alone, which then stops the host in order.
    detached: true,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: undefined,
      DATABASE_URL: undefined,
      ADMIN_TOKEN: undefined,
      ENCRYPTION_KEYS: undefined,
      DATA_DIR: dataDir,
      OUTBOUND_ALLOW: '127.0.0.1/32',
      RETRY_SCHEDULE: '0s,2s,5s,30s,5m,1h',
    },
  });
  const ended = once(child, 'exit').then(() => child.exitCode);
  child.stderr.pipe(createWriteStream(logFile, { mode: 0o600 }));
  const url = await untilListening(child, logFile);
  return {
    url,
    adminToken: readFileSync(join(dataDir, 'admin-token'), 'utf8').trim(),
    logFile,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
