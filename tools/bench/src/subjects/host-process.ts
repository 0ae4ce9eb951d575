import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnHost } from '@waiver-service/host/process';
import { adminToken, encryptionKeysText } from './secrets.ts';

/** A host, as `npm start` runs it. */
export interface HostProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Milliseconds from the start of the process to the line `listening on …`. */
  readonly readyAfterMs: number;
  /** Ends it gracefully (SIGTERM). */
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, '../../../../apps/host/dist/main.js');

/**
 * Starts a host with default settings, on a free port. It may call this machine, and accepts this run's admin token.
 * Logs to a file that is deleted with it.
 */
export async function startHostProcess(settings: Readonly<Record<string, string>>): Promise<HostProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'waiver-service-bench-host-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const log = join(folder, 'host.log');
  const { PATH, NODE_OPTIONS } = process.env;
  const startedAt = performance.now();
  const host = spawnHost({
    program,
    // So that a profile of the benchmarks (`--cpu-prof`) includes the hosts.
    environment: { PATH, NODE_OPTIONS },
    settings: {
      OUTBOUND_ALLOW: '127.0.0.1/32',
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeysText,
      ...settings,
    },
    log,
    detached: true,
  });
  try {
    const url = await host.listening;
    return {
      url,
      pid: host.process.pid,
      readyAfterMs: performance.now() - startedAt,
      async stop() {
        await host.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
