import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The host, running as a process of its own. */
export interface HostProcess {
  readonly url: string;
  readonly adminToken: string;
  /** Resolves when the process has ended, with its exit status. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** The host ended before it listened; the message is what it said, or the end of its log. */
export class HostDidNotStart extends Error {
  override readonly name = 'HostDidNotStart';
}

/** How the host is started. */
export interface HostProcessOptions {
  /** Where its embedded PostgreSQL and its secrets are. */
  readonly dataDir: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Told each line of the log. */
  readonly onLogLine: (line: string) => void;
  /** The caller's environment, which the host inherits but for settings that are another waiver service's. */
  readonly environment: NodeJS.ProcessEnv;
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Ends the host when it is aborted, while it starts too. */
  readonly signal?: AbortSignal;
}

// From a build the host runs from its build, from sources from its sources, so that nothing need be built.
const extension = extname(import.meta.filename);
const command = [
  extension === '.ts' ? '--conditions=@waiver-service/source' : '--enable-source-maps',
  join(import.meta.dirname, `../main${extension}`),
];

function environmentOf({ dataDir, port, environment, settings }: HostProcessOptions): NodeJS.ProcessEnv {
  const inherited = { ...environment };
  for (const name of ['BASE_URL', 'DATABASE_URL', 'ADMIN_TOKEN', 'ENCRYPTION_KEYS', 'ROLE'])
    delete inherited[name];
  return {
    ...inherited,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    // Nobody else sends it work.
    DRAIN_TIME: '0s',
    // What it is to speak to runs beside it.
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
    ...settings,
  };
}

async function untilListening(child: ChildProcess, lastLines: readonly string[]): Promise<string> {
  if (child.stdout === null) throw new Error('the host has no standard output');
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  await closed;
  // What it says to a person is no JSON, as its log is.
  const sentences = lastLines.filter((line) => !line.startsWith('{'));
  throw new HostDidNotStart((sentences.length > 0 ? sentences : lastLines).join('\n'));
}

/**
 * Starts the host on embedded PostgreSQL, and waits until it listens.
 * @throws HostDidNotStart
 */
export async function startHostProcess(options: HostProcessOptions): Promise<HostProcess> {
  options.signal?.throwIfAborted();
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches the caller alone, which then stops the host in order.
    detached: true,
    env: environmentOf(options),
  });
  const ended = once(child, 'exit').then(() => child.exitCode);
  const end = () => child.kill('SIGTERM');
  options.signal?.addEventListener('abort', end);
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > 5) lastLines.shift();
    options.onLogLine(line);
  });
  const url = await untilListening(child, lastLines);
  return {
    url,
    adminToken: readFileSync(join(options.dataDir, 'admin-token'), 'utf8').trim(),
    ended,
    async stop() {
      end();
      await ended;
    },
  };
}
