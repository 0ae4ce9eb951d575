import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestHost } from '../harness/test-host.ts';

const consoleFolder = fileURLToPath(new URL('../../../console/', import.meta.url));
const generator = dirname(createRequire(consoleFolder).resolve('openapi-typescript/package.json'));

test('the console is written against the API as it is: `npm run console:api` brings its types up to date', async () => {
  const host = await startTestHost();
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(generator, 'bin/cli.js'), `${host.url}/openapi.json`],
      { maxBuffer: 16 * 1024 * 1024 },
    );
    await expect(stdout).toMatchFileSnapshot(join(consoleFolder, 'src/api/schema.d.ts'));
  } finally {
    await host.close();
  }
});
