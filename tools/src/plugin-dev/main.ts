import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import colors from 'picocolors';
import { folderOf } from './try-plugin.ts';

const usualPort = 4020;
const usage = 'npm run plugin:dev -- <install-name> [--port <port of the page>] [--data-dir <folder>]';

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' }, 'data-dir': { type: 'string' } },
  });
  const [name = ''] = positionals;
  if (!/^[a-z][a-z0-9-]*$/.test(name) || !existsSync(join(folderOf(name), 'src/index.ts'))) {
    throw new Error(`${JSON.stringify(name)} is no plugin: give the name of a folder in plugins/`);
  }
  const dataDir = values['data-dir'];
  return { name, port: values.port ?? String(usualPort), dataDir: dataDir && resolve(dataDir) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Runs a plugin in a process that is replaced whenever a file of the plugin changes. */
async function develop({ name, port, dataDir }: ReturnType<typeof readArguments>): Promise<void> {
  const program = join(import.meta.dirname, 'run.ts');
  const given = [name, port, ...(dataDir === undefined ? [] : [dataDir])];
  const start = () =>
    spawn(process.execPath, ['--conditions=@waiver-service/source', program, ...given], { stdio: 'inherit' });
  let change = Promise.withResolvers<'changed'>();
  watch(folderOf(name), { recursive: true }, (_event, path) => {
    if (/^(src|simulator|test)[\\/]/.test(path ?? '')) change.resolve('changed');
  });
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  for (;;) {
    const child = start();
    const event = await Promise.race([change.promise, interrupted]);
    // An editor may write several files, or one in several steps.
    await delay(50);
    change = Promise.withResolvers();
    await stop(child);
    if (event !== 'changed') return;
    console.log(colors.dim('\nA file of the plugin has changed …'));
  }
}

try {
  await develop(readArguments());
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(`\n${usage}`);
  process.exit(2);
}
