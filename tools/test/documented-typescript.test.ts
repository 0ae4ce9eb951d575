import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync(['README.md', '{packages,plugins,apps}/*/README.md'], { cwd: root });
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/**
 * A page's TypeScript, one file for each block, with the page's line numbers. The comment before a block, `<!-- ts:
 * declare const key: string; -->`, declares what the example expects in scope.
 */
const examplesOf = (page: string) =>
  [...read(page).matchAll(/(?:^<!-- ts:(?:(?!-->)[\s\S])*-->\s*)?^```ts\n[\s\S]*?^```$/gm)].map(
    ({ 0: block, index }) => {
      const linesBefore = read(page).slice(0, index).replace(/[^\n]/g, '');
      return `${linesBefore}${block.replace(/^<!-- ts:|-->|^```(?:ts)?$/gm, '')}export {};\n`;
    },
  );

test('the TypeScript of every README compiles', async () => {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules/.cache/examples-'));
  try {
    // Examples of a plugin's tests import the plugin from `../src`.
    cpSync(join(root, 'plugins/standard/src'), join(folder, 'src'), { recursive: true });
    const files = pages.flatMap((page) =>
      examplesOf(page).map((text, index) => ({
        name: `examples/${page.replaceAll('/', '.')}.${index}.ts`,
        text,
      })),
    );
    expect(files.length).toBeGreaterThan(10);
    mkdirSync(join(folder, 'examples'));
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    const config = {
      extends: join(root, 'tsconfig.tests.json'),
      compilerOptions: {
        incremental: false,
        // Uses builds, which have been type-checked; vendors' simulators are not built.
        customConditions: [],
        paths: { '@waiver-service/plugin-*/simulator': [join(root, 'plugins/*/simulator/index.ts')] },
        noUnusedLocals: false,
        noUnusedParameters: false,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      files: files.map(({ name }) => name),
      include: [],
      references: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const run = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    expect(run.stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the plugin that README.md shows is the one for the standard', () => {
  const [, shown = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(read('README.md')) ?? [];
  expect(read('plugins/standard/src/index.ts').replace(/^\/\*\*.*\*\/\n/m, '')).toBe(shown);
});
