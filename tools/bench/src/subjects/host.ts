import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncryptionKey } from '@waiver-service/database';
import { spawnHost } from '@waiver-service/host/process';
import { Agent, request } from 'undici';

const key = randomBytes(32);

/** The key of this run's stores and hosts. */
export const encryptionKeys: readonly EncryptionKey[] = [{ id: 'bench', key }];

/** The same, as a host's `ENCRYPTION_KEYS`. */
const encryptionKeysText = `bench:${key.toString('base64')}`;

/** The bearer token of this run's hosts. */
export const adminToken = randomBytes(32).toString('hex');

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

/** A client of one host, with persistent connections. */
export interface HostClient {
  /** @returns the text of the answer; throws unless the status is below 300 */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    call?: { readonly body?: object; readonly token?: string | undefined },
  ): Promise<string>;
  close(): Promise<void>;
}

const maxIdleMs = 4_000;

/** Opens a client. Calls carry the admin token unless they name another one. */
export function openHostClient(hostUrl: string): HostClient {
  // Connections idle while the other side of the row runs: do not reuse one that the server may be closing.
  const dispatcher = new Agent({ keepAliveMaxTimeout: maxIdleMs });
  return {
    async call(method, path, { body, token = adminToken } = {}) {
      const answer = await request(`${hostUrl}${path}`, {
        dispatcher,
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
      return text;
    },
    close: () => dispatcher.close(),
  };
}
