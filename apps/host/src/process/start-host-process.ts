import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface HostProcess {
  readonly url: string;
  readonly adminToken: string;
  /** Resolves with the exit status. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** The host exited before it listened. The message is its output, or the end of its log. */
export class HostDidNotStart extends Error {
  override readonly name = 'HostDidNotStart';
}

export interface HostProcessOptions {
  /** Holds its embedded PostgreSQL and secrets. */
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Called with each line of the log. */
  readonly onLogLine: (line: string) => void;
  /** Inherited, except for settings of the caller's own waiver service. */
  readonly environment: NodeJS.ProcessEnv;
  /** Additional settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Stops the host when aborted, even while it starts. */
  readonly signal?: AbortSignal;
}

// The host's build if this file is one, otherwise its sources, so that nothing needs to be built.
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
    // No load balancer has to notice first.
    DRAIN_TIME: '0s',
    // The simulated systems run on the same machine.
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
    ...settings,
  };
}

/** Standard error until the host listens. */
interface HostOutput {
  readonly sentences: string[];
  readonly lastLogLines: string[];
}

async function untilListening(child: ChildProcess, output: HostOutput): Promise<string> {
  if (child.stdout === null) throw new Error('the host has no standard output');
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  await closed;
  const { sentences, lastLogLines } = output;
  throw new HostDidNotStart((sentences.length > 0 ? sentences : lastLogLines).join('\n'));
}

/**
 * Starts a host with an embedded PostgreSQL and waits until it listens.
 * @throws HostDidNotStart
 */
export async function startHostProcess(options: HostProcessOptions): Promise<HostProcess> {
  options.signal?.throwIfAborted();
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own: Ctrl-C reaches only the caller, which shuts the host down cleanly.
    detached: true,
    env: environmentOf(options),
  });
  const ended = once(child, 'exit').then(() => child.exitCode);
  const end = () => child.kill('SIGTERM');
  options.signal?.addEventListener('abort', end);
  const output: HostOutput = { sentences: [], lastLogLines: [] };
  createInterface({ input: child.stderr }).on('line', (line) => {
    // Its log is JSON, and may still be written after a sentence for people.
    if (line.startsWith('{')) {
      output.lastLogLines.push(line);
      if (output.lastLogLines.length > 5) output.lastLogLines.shift();
    } else output.sentences.push(line);
    options.onLogLine(line);
  });
  const url = await untilListening(child, output);
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
