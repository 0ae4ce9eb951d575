import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A host that runs from its installed package. */
export interface HostBeside {
  readonly url: string;
  /** Its log so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts the host that is installed in `modules`, a `node_modules` folder. */
export async function startHostBeside(
  modules: string,
  own: Readonly<Record<string, string>>,
): Promise<HostBeside> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(modules, '@waiver-service/host/dist/main.js')], {
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
