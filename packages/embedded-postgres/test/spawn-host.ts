import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A host in a separate process. */
export interface SpawnedHost {
  readonly process: ChildProcess;
  /** Resolves with the rest of the first line that begins with a word. */
  line(word: string): Promise<string>;
  end(signal: 'SIGKILL' | 'stdin'): Promise<void>;
}

const program = fileURLToPath(new URL('host-process.ts', import.meta.url));

/** Starts a host on a data folder; it is killed when the test is over. */
export function spawnHost(
  dataDir: string,
  options: { ending?: 'stop' | 'exit'; uid?: number; gid?: number } = {},
): SpawnedHost {
  const { ending = 'stop', ...user } = options;
  const host = spawn(process.execPath, ['--conditions=@waiver-service/source', program, dataDir, ending], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    ...user,
  });
  const exited = once(host, 'exit');
  onTestFinished(async () => {
    host.kill('SIGKILL');
    await exited;
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  createInterface({ input: host.stdout })
    .on('line', (line) => {
      lines.push(line);
      wakeAll();
    })
    .on('close', () => void exited.then(wakeAll));
  return {
    process: host,
    async line(word) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(word));
        if (found !== undefined) return found.slice(word.length).trim();
        if (host.exitCode !== null || host.signalCode !== null)
          throw new Error(`the host ended without saying "${word}": ${lines.join('\n')}`);
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    async end(how) {
      if (how === 'SIGKILL') host.kill('SIGKILL');
      else host.stdin?.write('end\n');
      await exited;
    },
  };
}
