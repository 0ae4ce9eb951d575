import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerUser } from './cluster.ts';

/** The contents of a data directory's `postmaster.pid`. */
interface Postmaster {
  readonly processId: number;
  readonly ready: boolean;
  /** Empty until the server has one. */
  readonly socketFolder: string;
}

const fileName = 'postmaster.pid';
const fastShutdownMs = 30_000;

/** Reads `postmaster.pid`; undefined if there is none. */
export async function readPostmaster(dataDirectory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataDirectory, fileName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const processId = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isSafeInteger(processId) || processId <= 1) return undefined;
  return { processId, ready: lines[7]?.trim() === 'ready', socketFolder: lines[4]?.trim() ?? '' };
}

export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Stops a server that outlived its host, and waits for its exit. It may have outdated settings and sessions, so it is
 * not taken over: a clean start costs a few hundred milliseconds.
 *
 * @returns whether there was one
 */
export async function stopOrphan(dataDirectory: string): Promise<boolean> {
  const postmaster = await readPostmaster(dataDirectory);
  if (postmaster === undefined || !isAlive(postmaster.processId)) return false;
  if (!isServerOf(postmaster.processId, dataDirectory)) {
    // The process id now belongs to another process (a restarted container, a reboot). PostgreSQL would take that
    // process for a server of this directory and refuse to start.
    await rm(join(dataDirectory, fileName));
    return false;
  }
  await shutDown(postmaster.processId);
  return true;
}

/** Fast shutdown: ends all sessions and flushes to disk. A server that fails to do so is stopped hard. */
async function shutDown(processId: number): Promise<void> {
  signal(processId, 'SIGINT');
  if (await ended(processId, fastShutdownMs)) return;
  signal(processId, 'SIGQUIT');
  if (await ended(processId, fastShutdownMs)) return;
  throw new Error(`the embedded PostgreSQL (process ${processId}) does not stop`);
}

function signal(processId: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(processId, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function ended(processId: number, withinMs: number): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (isAlive(processId)) {
    if (Date.now() > end) return false;
    await wait(10);
  }
  return true;
}

/** Whether a process is the server of a data directory. */
export function isServerOf(processId: number, dataDirectory: string): boolean {
  const command = commandOf(processId);
  return command.includes('postgres') && command.includes(dataDirectory);
}

function commandOf(processId: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(processId)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

// Crash recovery after a power cut takes time.
const startWithinMs = 120_000;

interface RunningServer {
  /** Resolves when the server has exited, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly binaries: string;
  readonly dataDirectory: string;
  readonly socketFolder: string;
  readonly logFile: string;
  readonly user: ServerUser | undefined;
  /** PostgreSQL settings; override our defaults. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The part of the log file written since a start. */
interface ServerLog {
  readonly file: string;
  readonly startsAt: number;
}

/**
 * Starts the server and waits until it accepts connections.
 *
 * @param log - `new` truncates the log file, `same` appends to it
 */
async function startServer(options: ServerOptions, log: 'new' | 'same'): Promise<RunningServer> {
  const { server, written } = spawnServer(options, log);
  const ended = once(server, 'exit').then(
    () => {},
    // It could not be spawned; waitUntilReady rejects.
    () => {},
  );
  // A host that ends with an error or `process.exit` does not leave its server behind; only kill -9 does.
  const onExit = () => server.kill('SIGINT');
  process.once('exit', onExit);
  void ended.then(() => process.off('exit', onExit));
  const stop = async () => {
    if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.ref();
    await shutDown(server.pid);
    await ended;
  };
  try {
    await waitUntilReady(server, options.dataDirectory, written);
  } catch (error) {
    await stop();
    throw error;
  }
  server.unref();
  return { ended, stop };
}

function spawnServer(
  options: ServerOptions,
  log: 'new' | 'same',
): { server: ChildProcess; written: ServerLog } {
  const { logFile, socketFolder } = options;
  // A file, not a pipe: the server must be able to write after its host is gone.
  const file = openSync(logFile, log === 'new' ? 'w' : 'a', 0o600);
  const written = { file: logFile, startsAt: fstatSync(file).size };
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A failed statement's text may contain a guest's input.
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    max_connections: '200',
    // The lanes of a long outage stay in memory.
    shared_buffers: '256MB',
    ...options.settings,
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    const program = join(options.binaries, 'bin', 'postgres');
    const server = spawn(program, ['-D', options.dataDirectory, ...parameters], {
      ...options.user,
      cwd: '/',
      // A separate session: Ctrl-C in a terminal reaches only the host, which stops the server after draining.
      detached: true,
      stdio: ['ignore', file, file],
      // Not the host's environment, which may contain its keys.
      env: { LC_ALL: 'C' },
    });
    return { server, written };
  } finally {
    closeSync(file);
  }
}

const textOf = ({ file, startsAt }: ServerLog) =>
  readFileSync(file).subarray(startsAt).toString('utf8').trim();

async function waitUntilReady(server: ChildProcess, dataDirectory: string, log: ServerLog): Promise<void> {
  let failure: Error | undefined;
  const onError = (error: Error) => {
    failure = error;
  };
  const onExit = () => {
    failure = new Error(`the embedded PostgreSQL did not start: ${textOf(log)}`);
  };
  server.once('error', onError);
  server.once('exit', onExit);
  const end = Date.now() + startWithinMs;
  try {
    while (failure === undefined) {
      const postmaster = await readPostmaster(dataDirectory);
      if (postmaster?.ready === true && postmaster.processId === server.pid) return;
      if (Date.now() > end)
        throw new Error(`the embedded PostgreSQL is not ready after two minutes; see ${log.file}`);
      await wait(5);
    }
    throw failure;
  } finally {
    server.off('exit', onExit);
  }
}

interface ServerWatcher {
  /** Called with a sentence when the server exited unexpectedly, and when it is running again. */
  readonly onMessage: (message: string) => void;
  /** Called when the server exited unexpectedly and could not be restarted. */
  readonly onLost: (error: Error) => void;
}

// A killed server leaves child processes behind; until they exit, a new server refuses the data directory.
const leftoversWithinMs = 60_000;
const leftovers = /pre-existing shared memory block|lock file ".*" already exists/;
const retryMs = 200;

// A server that crashes this often will not be fixed by another restart.
const maxRestarts = 3;
const restartWindowMs = 60_000;

/**
 * Starts the server and restarts it at the same address when it exits unexpectedly, for example killed by the OOM
 * killer.
 */
export async function startSupervised(
  options: ServerOptions,
  { onMessage, onLost }: ServerWatcher,
): Promise<{ stop(): Promise<void> }> {
  let server = await startServer(options, 'new');
  let isStopping = false;
  let restartedAt: readonly number[] = [];

  async function startAgain(): Promise<RunningServer> {
    const now = performance.now();
    restartedAt = [...restartedAt.filter((at) => now - at < restartWindowMs), now];
    if (restartedAt.length > maxRestarts) {
      throw new Error(`it ended ${restartedAt.length} times within a minute; see ${options.logFile}`);
    }
    for (;;) {
      try {
        return await startServer(options, 'same');
      } catch (error) {
        const mayPass = error instanceof Error && leftovers.test(error.message);
        if (!mayPass || isStopping || performance.now() - now > leftoversWithinMs) throw error;
        await wait(retryMs);
      }
    }
  }

  async function supervise(): Promise<void> {
    for (;;) {
      await server.ended;
      if (isStopping) return;
      onMessage(`the embedded PostgreSQL ended unexpectedly: it is started again; see ${options.logFile}`);
      server = await startAgain();
      // `stop` was called while it was starting.
      if (isStopping) return server.stop();
      onMessage('the embedded PostgreSQL runs again');
    }
  }

  const supervising = supervise().catch((cause: unknown) => {
    if (isStopping) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    onLost(new Error(`the embedded PostgreSQL ended and cannot be started again: ${reason}`, { cause }));
  });
  return {
    async stop() {
      isStopping = true;
      await server.stop();
      await supervising;
    },
  };
}
