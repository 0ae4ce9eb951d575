import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { listenLocally } from '@waiver-service/testing';
import { afterAll } from 'vitest';
import { type SpawnedHost as Spawned, spawnHost as spawn } from '../../src/process/index.ts';

/** The program as this checkout's build has it. */
export const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const running = new Set<Spawned>();
// A test that fails in the middle leaves its host behind.
afterAll(() => {
  for (const host of running) void host.stop();
  running.clear();
});

/** A host from its build, with what it wrote. */
export interface SpawnedHost extends Spawned {
  stderr(): string;
}

/** A port that is free at this moment, for a host whose address has to be known before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server);
  server.close();
  return port;
}

/** Starts a host with these variables and no others of ours. */
export function spawnHost(
  settings: Readonly<Record<string, string>>,
  program: string = builtProgram,
): SpawnedHost {
  const { PATH, HOME } = process.env;
  let stderr = '';
  const host = spawn({
    environment: { PATH, HOME },
    settings,
    program,
    log: (line) => {
      stderr += `${line}\n`;
    },
  });
  running.add(host);
  void host.ended.then(() => running.delete(host));
  return { ...host, stderr: () => stderr };
}
