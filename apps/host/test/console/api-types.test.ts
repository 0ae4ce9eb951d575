import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
      [join(generator, 'bin/cli.js'), `${host.url}/openapi.json`, '--enum-values'],
      { maxBuffer: 16 * 1024 * 1024 },
    );
    // The values are code, beside types only. The console takes few of them.
    const [types = '', values = ''] = stdout.split(/^(?=type FlattenedDeepRequired<)/m);
    const taken = readFileSync(join(consoleFolder, 'src/api/resources.ts'), 'utf8');
    const [helpers = '', ...enumerations] = values.split(/^(?=export const )/m);
    const isTaken = (text: string) => taken.includes(`  ${/^export const (\w+)/.exec(text)?.[1]} as `);
    const comment = types.slice(0, types.indexOf('*/') + 3);
    await expect(types).toMatchFileSnapshot(join(consoleFolder, 'src/api/schema.d.ts'));
    await expect(
      `${comment}\nimport type { components, paths } from './schema.d.ts';\n\n${helpers}${enumerations.filter(isTaken).join('')}`,
    ).toMatchFileSnapshot(join(consoleFolder, 'src/api/enumerations.ts'));
  } finally {
    await host.close();
  }
});
