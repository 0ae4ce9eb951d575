import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseUser } from './cluster.ts';
import { readPostmaster, shutDown } from './postmaster.ts';
import { giveTo, type ServerUser } from './server-user.ts';

// A crash recovery after a power cut may take a while.
const startWithinMs = 120_000;

// The path of a unix socket holds at most 103 bytes on some systems; the server adds `/.s.PGSQL.5432`.
const longestSocketFolder = 85;

/** A server that runs. */
export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** What a server is started with. */
export interface ServerOptions {
  readonly binaries: string;
  readonly folder: string;
  readonly dataDirectory: string;
  readonly user: ServerUser | undefined;
  /** Added to our own, and stronger. */
  readonly settings: Readonly<Record<string, string>>;
  readonly onMessage: (message: string) => void;
}

/** Starts the server and waits until it takes connections. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const socketFolder = await makeSocketFolder(options);
  const logFile = join(options.folder, 'postgres.log');
  const server = spawnServer(options, socketFolder, logFile);
  let stopping: Promise<void> | undefined;
  // A host that ends by an error or `process.exit` does not leave its server behind; only kill -9 does.
  const onExit = () => server.kill('SIGINT');
  process.once('exit', onExit);
  const stop = () => {
    stopping ??= (async () => {
      process.off('exit', onExit);
      if (server.pid !== undefined && server.exitCode === null) await shutDown(server.pid);
      await rm(socketFolder, { recursive: true, force: true });
    })();
    return stopping;
  };
  try {
    await waitUntilReady(server, options.dataDirectory, logFile);
  } catch (error) {
    await stop();
    throw error;
  }
  server.once('exit', () => {
    if (stopping === undefined)
      options.onMessage(`the embedded PostgreSQL ended unexpectedly; see ${logFile}`);
  });
  server.unref();
  return { url: `postgresql://${databaseUser}@/postgres?host=${encodeURIComponent(socketFolder)}`, stop };
}

function spawnServer(options: ServerOptions, socketFolder: string, logFile: string): ChildProcess {
  // A file, not a pipe: the server must be able to write when its host is gone.
  const log = openSync(logFile, 'w', 0o600);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A failed statement's text may hold what a guest wrote.
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    max_connections: '200',
    // The lanes of a long outage stay in memory.
    shared_buffers: '256MB',
    ...options.settings,
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    return spawn(join(options.binaries, 'bin', 'postgres'), ['-D', options.dataDirectory, ...parameters], {
      ...options.user,
      cwd: '/',
      // A session of its own: Ctrl-C in a terminal goes to the host alone, which stops the server when it has drained.
      detached: true,
      stdio: ['ignore', log, log],
      // Not the host's environment, which may hold its keys.
      env: { LC_ALL: 'C' },
    });
  } finally {
    closeSync(log);
  }
}

async function waitUntilReady(server: ChildProcess, dataDirectory: string, logFile: string): Promise<void> {
  let failure: Error | undefined;
  const onError = (error: Error) => {
    failure = error;
  };
  const onExit = () => {
    failure = new Error(`the embedded PostgreSQL did not start: ${readFileSync(logFile, 'utf8').trim()}`);
  };
  server.once('error', onError);
  server.once('exit', onExit);
  const end = Date.now() + startWithinMs;
  try {
    while (failure === undefined) {
      const postmaster = await readPostmaster(dataDirectory);
      if (postmaster?.ready === true && postmaster.processId === server.pid) return;
      if (Date.now() > end)
        throw new Error(`the embedded PostgreSQL is not ready after two minutes; see ${logFile}`);
      await wait(5);
    }
    throw failure;
  } finally {
    server.off('exit', onExit);
  }
}

async function makeSocketFolder({ folder, user }: ServerOptions): Promise<string> {
  const beside = join(folder, 'socket');
  if (Buffer.byteLength(beside) > longestSocketFolder) {
    const temporary = await mkdtemp(join(tmpdir(), 'waiver-service-'));
    await giveTo(user, temporary);
    return temporary;
  }
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { mode: 0o700 });
  await giveTo(user, beside);
  return beside;
}
