import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { HostDidNotStart, startHostProcess } from '@waiver-service/host/process';
import colors from 'picocolors';
import { showDetail, showHeading, showStep } from '../demo/screen.ts';
import { HostLog } from '../demo/waiver-service.ts';
import { repository, runIn } from '../outside/outside-place.ts';
import { servePage } from './page.ts';
import { trialOf, tryPlugin } from './try-plugin.ts';

/** Builds a plugin, and runs it in a host, against its simulator, until it is ended. */
async function run(name: string, port: number, dataDir: string, signal: AbortSignal): Promise<void> {
  const built = await runIn(repository, 'tsc', '-b', `plugins/${name}`, '--pretty', 'false');
  if (built.status !== 0) throw new Error(built.output.trim());
  const trial = await trialOf(name);
  const system = await trial.start();
  // Only the parent: the host creates its own folder with a mode that PostgreSQL accepts.
  mkdirSync(dirname(dataDir), { recursive: true });
  const log = new HostLog(`${dataDir}.log`);
  const startedAt = performance.now();
  const host = await startHostProcess({
    dataDir,
    port: 0,
    environment: process.env,
    onLogLine: (line) => log.write(line),
    settings: { RETRY_SCHEDULE: '0s,2s,5s,30s' },
    signal,
  });
  log.open();
  try {
    const plugin = await tryPlugin(name, host, trial, system);
    const page = await servePage(port, plugin, system.received);
    await page.act('Read the booking');
    showHeading(plugin.displayName);
    showStep('The host runs with the plugin, connected to its simulator', performance.now() - startedAt);
    showDetail(
      `each call              ${page.url}`,
      `the console (once)     ${plugin.signInLink}`,
      `the host’s log         ${relative(process.cwd(), log.file)}`,
    );
    const interrupted = new Promise<void>((done) => {
      signal.addEventListener('abort', () => done());
    });
    await Promise.race([interrupted, host.ended]);
  } finally {
    await host.stop();
  }
}

const [name = '', port = '0', dataDir = join(repository, '.data/plugin-dev', name)] = process.argv.slice(2);
const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => controller.abort());
try {
  await run(name, Number(port), dataDir, controller.signal);
} catch (error) {
  if (!controller.signal.aborted) {
    console.error(colors.red(error instanceof Error ? error.message : String(error)));
    if (error instanceof HostDidNotStart) console.error('Is it running already, in another terminal?');
  }
}
// The page and the simulator still listen.
process.exit(controller.signal.aborted ? 0 : 1);
