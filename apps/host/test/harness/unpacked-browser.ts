import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
const cache = join(import.meta.dirname, '../../../../node_modules/.cache/waiver-service');

const unpack = `
const { default: chromium } = await import(process.argv[1]);
await chromium.executablePath();
`;

/**
 * Unpacks the browser that comes with npm, once for a checkout.
 *
 * Left to itself it goes to one name in the machine's temporary folder, where only the first user of the machine
 * can run it: so it is unpacked by a process whose temporary folder is one of ours.
 *
 * @returns the folder that holds `chromium`, and its `fonts`
 */
export async function unpackBrowser(into = cache): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  );
  const folder = join(into, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  // Unpacked beside and renamed, so that one cut short is never taken for a whole one.
  await mkdir(into, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await run(
      process.execPath,
      ['--input-type=module', '-e', unpack, join(packageFolder, 'build', 'index.js')],
      { env: { ...process.env, TMPDIR: unfinished } },
    );
    await rename(unfinished, folder);
  } catch (error) {
    // Another test may have been first.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
