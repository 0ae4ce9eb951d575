#!/usr/bin/env node
// In a clone, runs the sources with the workspace's own Node.js: no build is needed, and any Node.js may start this file.
// The published package has no sources.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The host that `--serve` starts has decorators, which Node.js cannot run as they are.
function buildHost(node) {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  if (!existsSync(join(root, 'apps/host/dist/main.js')))
    console.error('The host is compiled first, which takes about half a minute.');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(node, [compiler, '-b', 'apps/host'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function runSources(program) {
  const require = createRequire(import.meta.url);
  const node = join(dirname(require.resolve('node/package.json')), 'bin', 'node');
  if (process.argv.includes('--serve')) buildHost(node);
  const args = ['--conditions=@waiver-service/source', program, ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

const sources = fileURLToPath(new URL('../src/main.ts', import.meta.url));
if (existsSync(sources)) runSources(sources);
else if (Number(process.versions.node.split('.')[0]) >= 24) await import('../dist/main.js');
else {
  console.error(`waiver-service needs Node.js 24 or newer, and this is ${process.versions.node}.`);
  process.exitCode = 1;
}
