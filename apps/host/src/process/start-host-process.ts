import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SpawnedHost, spawnHost } from './spawn-host.ts';

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
