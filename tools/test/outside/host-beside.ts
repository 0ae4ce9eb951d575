import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './run.ts';

/** A host that runs from a copy of its build. */
export interface HostBeside {
  readonly url: string;
  /** Its log so far. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts the host from a copy of its build in `place/apps/host`, with the packages that it is installed with. Beside
 * it is what `place/node_modules` has.
 */
export async function startHostBeside(
  place: string,
  own: Readonly<Record<string, string>>,
): Promise<HostBeside> {
  const folder = join(place, 'apps/host');
  mkdirSync(folder, { recursive: true });
  for (const part of ['package.json', 'dist']) {
    cpSync(join(repository, 'apps/host', part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(folder, 'dist/main.js')], {
    env: { PATH, HOME, PORT: '0', DRAIN_TIME: '0s', ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', log: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said.out += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said.log += part;
  });
  const ended = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, found] = /^listening on (\S+)$/m.exec(said.out) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`the host ended: ${said.log}`)));
  });
  return {
    url,
    log: () => said.log,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
