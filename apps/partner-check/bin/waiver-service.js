#!/usr/bin/env node
// Runs the command from its sources, on the Node that the workspace brings: nothing has to be built before, and it
// does not matter which Node started this file.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const node = join(dirname(require.resolve('node/package.json')), 'bin', 'node');
const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const child = spawn(node, ['--conditions=@waiver-service/source', program, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
