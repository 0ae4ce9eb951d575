import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readPostmaster, shutDown } from './postmaster.ts';
import type { ServerUser } from './server-user.ts';

// Crash recovery after a power cut takes time.
const startWithinMs = 120_000;

export interface RunningServer {
  /** Resolves when the server has exited, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
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
export async function startServer(options: ServerOptions, log: 'new' | 'same'): Promise<RunningServer> {
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
