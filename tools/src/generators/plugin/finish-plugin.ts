import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';

/** Formats the new files, updates the table of all plugins, and prints the next steps. */
export function finishPlugin(root: string, folder: string, written: readonly string[]): void {
  const run = (...words: string[]) =>
    execFileSync(process.execPath, words, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  run(join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', ...written);
  // Runs from source, since nothing may be built yet.
  run('--conditions=@waiver-service/source', join(root, 'tools/src/checks/plugins/write-page.ts'));
  console.log(`\n${folder} is there. Run this next, so that the host finds it:\n`);
  console.log('  npm install\n');
  console.log(`Its tests: npx vitest run plugins/${basename(folder)}/`);
}
