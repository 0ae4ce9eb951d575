import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A host in a separate process. */
export interface SpawnedHost {
  readonly process: ChildProcess;
  /** Its address. Rejects with {@link HostDidNotStart} if it exits first. */
  readonly listening: Promise<string>;
  /** Its exit status, or the signal that ended it, once its output was read. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Its standard output so far. */
  stdout(): string;
  /** Shuts it down with SIGTERM. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** The host exited before it listened. The message is its output, or the end of its log. */
export class HostDidNotStart extends Error {
  override readonly name = 'HostDidNotStart';
}

export interface SpawnedHostOptions {
  /** The environment that it inherits. */
  readonly environment: NodeJS.ProcessEnv;
  /** Settings on top of the environment. By default any free port, and no drain time. */
  readonly settings: Readonly<Record<string, string>>;
  /** Its `main.js`. By default the host's build, also where this file is a source: its decorators have to be compiled. */
  readonly program?: string;
  /** The destination of its log: a file, or a function that is called with each line. */
  readonly log: string | ((line: string) => void);
  /** Whether it has a separate process group: Ctrl-C reaches only the caller, which shuts it down cleanly. */
  readonly detached?: boolean;
}

const ownProgram = join(import.meta.dirname, '../../dist/main.js');
const maxShownLogLines = 5;

/** Its lines for people, which may be between JSON lines, otherwise the end of its log. */
function messageOf(lines: readonly string[]): string {
  const sentences = lines.filter((line) => !line.startsWith('{'));
  return (sentences.length > 0 ? sentences : lines.slice(-maxShownLogLines)).join('\n').trim();
}

/** Starts a host. It is stopped when this process exits. */
export function spawnHost(options: SpawnedHostOptions): SpawnedHost {
  const { environment, settings, program = ownProgram, log, detached = false } = options;
  const logFile = typeof log === 'string' ? openSync(log, 'w', 0o600) : undefined;
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', logFile ?? 'pipe'],
    detached,
    env: {
      ...environment,
      PORT: '0',
      // No load balancer has to notice first.
      DRAIN_TIME: '0s',
      ...settings,
    },
  });
  if (logFile !== undefined) closeSync(logFile);
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);

  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  let url: string | undefined;
  let stdout = '';
  const earlyLines: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
    if (url !== undefined) return;
    url = /^listening on (\S+)$/m.exec(stdout)?.[1];
    if (url !== undefined) resolve(url);
  });
  if (child.stderr !== null && typeof log === 'function') {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (url === undefined) earlyLines.push(line);
      log(line);
    });
  }
  const ended = once(child, 'close').then(([status, signal]): number | NodeJS.Signals => {
    process.off('exit', end);
    const lines = typeof log === 'string' ? readFileSync(log, 'utf8').trim().split('\n') : earlyLines;
    if (url === undefined) reject(new HostDidNotStart(messageOf(lines)));
    return signal ?? status;
  });
  // Callers that need the address await it; avoid unhandledRejection for the others.
  listening.catch(() => {});
  return {
    process: child,
    listening,
    ended,
    stdout: () => stdout,
    stop() {
      end();
      return ended;
    },
  };
}

export interface HostProcess extends Pick<SpawnedHost, 'ended' | 'stop'> {
  readonly url: string;
  readonly adminToken: string;
}

export interface HostProcessOptions {
  /** The folder for its embedded PostgreSQL and secrets. */
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Called with each line of the log. */
  readonly onLogLine: (line: string) => void;
  /** Inherited, except for settings of the caller's own waiver service. */
  readonly environment: NodeJS.ProcessEnv;
  readonly settings?: Readonly<Record<string, string>>;
  /** Stops the host when aborted, even while it starts. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a host with an embedded PostgreSQL and waits until it listens.
 * @throws HostDidNotStart
 */
export async function startHostProcess(options: HostProcessOptions): Promise<HostProcess> {
  const { dataDir, port, onLogLine, environment, settings, signal } = options;
  signal?.throwIfAborted();
  const inherited = { ...environment };
  for (const name of ['BASE_URL', 'DATABASE_URL', 'ADMIN_TOKEN', 'ENCRYPTION_KEYS', 'ROLE'])
    delete inherited[name];
  const { listening, ended, stop } = spawnHost({
    environment: inherited,
    settings: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      // The simulated systems run on the same machine.
      OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
      ...settings,
    },
    log: onLogLine,
    detached: true,
  });
  signal?.addEventListener('abort', stop);
  const url = await listening;
  return { url, adminToken: readFileSync(join(dataDir, 'admin-token'), 'utf8').trim(), ended, stop };
}
