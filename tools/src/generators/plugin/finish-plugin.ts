import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';

/** Formats what was written, brings the table of all plugins up to date, and says what to do next. */
export function finishPlugin(root: string, folder: string, written: readonly string[]): void {
  const run = (...words: string[]) =>
    execFileSync(process.execPath, words, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  run(join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', ...written);
  // From the sources: nothing need be built yet.
  run('--conditions=@waiver-service/source', join(root, 'tools/src/checks/plugins/write-page.ts'));
  console.log(`\n${folder} is there. Run this next, so that the host finds it:\n`);
  console.log('  npm install\n');
  console.log(`Its tests: npx vitest run --project ${basename(folder)}`);
}
