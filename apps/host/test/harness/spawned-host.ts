import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** The program as this checkout's build has it. */
export const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const running = new Set<ChildProcess>();
// A test that fails in the middle leaves its host behind.
afterAll(() => {
  for (const child of running) child.kill('SIGTERM');
});

/** A host in a process of its own, from its build. */
export interface SpawnedHost {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Where it listens; rejects where it ends first. */
  readonly listening: Promise<string>;
  /** The status it ended with; a signal's name where a signal ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts a host with these variables and no others of ours. */
export function spawnHost(
  variables: Readonly<Record<string, string>>,
  program: string = builtProgram,
): SpawnedHost {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { PATH, HOME, PORT: '0', DRAIN_TIME: '0s', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  running.add(child);
  const ended = once(child, 'close').then(([status, signal]) => {
    running.delete(child);
    return status ?? signal;
  });
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, url] = /^listening on (\S+)$/m.exec(stdout) ?? [];
      if (url !== undefined) resolve(url);
    });
    void ended.then((status) => reject(new Error(`the host ended with ${status}: ${stderr}`)));
  });
  listening.catch(() => {});
  return { process: child, stdout: () => stdout, stderr: () => stderr, listening, ended };
}
