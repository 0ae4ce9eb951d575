import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installNamePattern as installNamePatternOfCore } from '@waiver-service/core';
import { installNamePattern } from 'create-waiver-service-plugin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Ending } from '../src/outside/outside-place.ts';
import { createScratchWorkspace, type ScratchWorkspace } from './scratch/scratch-workspace.ts';

const generator = '@waiver-service/tools:plugin';

/** The plugins to generate, covering each option. `npm test` generates one of each kind, to save time. */
const all: Readonly<Record<string, readonly string[]>> = {
  'made-plain': [],
  'made-header': [
    '--auth-header-name=x-own-key',
    '--forms=current,legacy',
    '--display-name=Ö\'s "Rivers" \\ & Co',
  ],
  'made-query': ['--path-shape=query', '--guest-id=none'],
  'made-current': ['--forms=current', '--guest-id=waiver-id'],
  'made-legacy': ['--forms=legacy', '--pathShape=query', '--auth-header-name=Authentication'],
  'made-native': [
    '--native',
    '--auth=oauth',
    '--write=note',
    '--with=lists,changes,webhooks',
    '--pages=cursor',
  ],
  'made-native-read': ['--native', '--auth-header-name=x-own-key'],
  'made-native-field': ['--native', '--auth=token', '--write=field', '--with=lists', '--pages=offset'],
  'made-native-from': ['--native', '--auth=token', '--from=plugins/fareharbor/fixtures/booked.json'],
  'made-native-check-in': ['--native', '--write=check-in', '--with=changes,webhooks'],
};
const isLong = process.env.WAIVER_SERVICE_FAULTS === 'long';
const names = isLong ? Object.keys(all) : ['made-header', 'made-native', 'made-native-from'];
const contractNames = names.filter((name) => !name.startsWith('made-native'));

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), title: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

const projectSchema = z.object({ references: z.array(z.object({ path: z.string() })) });

// Enough on a busy machine.
const patience = 180_000;

let scratch: ScratchWorkspace;
const endings = new Map<string, Ending>();

beforeAll(() => {
  scratch = createScratchWorkspace();
});
afterAll(() => scratch.remove());

describe('what the generator makes', () => {
  beforeAll(async () => {
    for (const name of names) {
      endings.set(name, await scratch.run('nx', 'g', generator, name, ...(all[name] ?? [])));
      scratch.link(`plugins/${name}`, `@waiver-service/plugin-${name}`);
    }
  }, patience);

  test.each(names)('%s: it ends well and says what to run next', (name) => {
    const { status, output } = endings.get(name) ?? { status: -1, output: 'it did not run' };
    expect(status, output).toBe(0);
    expect(output).toMatch(/Run this next.*\n\n {2}npm install\n/);
  });

  test(
    'the tests of each kind of plugin are green',
    async () => {
      const folders = names.map((name) => `plugins/${name}/`);
      const claims = '--reporter=./packages/contract-suite/src/quality/quality-reporter.ts';
      const reporting = ['--reporter=json', '--outputFile=report.json', claims];
      const { status, output } = await scratch.run('vitest', 'run', ...folders, ...reporting);
      const { testResults } = reportSchema.parse(
        JSON.parse(readFileSync(join(scratch.root, 'report.json'), 'utf8')),
      );
      const failed = testResults.flatMap(({ name, message, status, assertionResults }) => [
        ...(status === 'passed' ? [] : [`${name}: ${message}`]),
        ...assertionResults
          .filter((one) => one.status === 'failed')
          .map(({ title, failureMessages }) => `${name}: ${title}: ${failureMessages.join('\n')}`),
      ]);
      expect(failed, output).toEqual([]);
      // Nor is a claim of `quality.json` unproven.
      expect(status, output).toBe(0);
      const files = testResults.map(({ name }) => name.slice(name.indexOf('/plugins/') + 1));
      for (const name of names) {
        const written = globSync(`plugins/${name}/test/*.test.ts`, { cwd: scratch.root });
        expect(written).toContain(`plugins/${name}/test/contract.test.ts`);
        expect(files).toEqual(expect.arrayContaining(written));
      }
    },
    patience,
  );

  test.runIf(isLong)(
    'each vendor with its own API is tried through a running host',
    async () => {
      const words = ['apps/host/test/vendors/journeys.test.ts', '-t', 'made-native'];
      const { status, output } = await scratch.run('vitest', 'run', ...words);
      expect(status, output).toBe(0);
    },
    patience,
  );

  test(
    'they compile, and their tests have the types that they use',
    async () => {
      const used = ['core', 'outbound', 'plugin-kit', 'contract-suite', 'simulator'].map(
        (one) => `packages/${one}`,
      );
      const project = {
        extends: './tsconfig.tests.json',
        include: names.map((name) => `plugins/${name}/test`),
        references: [...used, ...names.map((name) => `plugins/${name}`)].map((path) => ({ path })),
      };
      writeFileSync(join(scratch.root, 'tsconfig.made.json'), JSON.stringify(project));
      const { status, output } = await scratch.run('tsc', '-b', 'tsconfig.made.json', '--pretty', 'false');
      expect(output).toBe('');
      expect(status).toBe(0);
    },
    patience,
  );

  test.each([
    ['tsconfig.json', 'plugins/'],
    ['tsconfig.tests.json', 'plugins/'],
    ['apps/host/tsconfig.json', '../../plugins/'],
  ])('%s refers to each, beside the plugins that were there', (file, prefix) => {
    const { references } = projectSchema.parse(JSON.parse(readFileSync(join(scratch.root, file), 'utf8')));
    const paths = references.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['standard', ...names].map((name) => `${prefix}${name}`)));
    expect(new Set(paths).size).toBe(paths.length);
  });

  test(
    'formatter, linter and house rules find nothing to say',
    async () => {
      const wired = [
        'tsconfig.json',
        'tsconfig.tests.json',
        'apps/host/package.json',
        'apps/host/tsconfig.json',
      ];
      const folders = names.map((name) => `plugins/${name}`);
      const linted = await scratch.run('biome', 'ci', ...folders, ...wired);
      expect(linted.status, linted.output).toBe(0);
      const main = ['--conditions=@waiver-service/source', 'tools/src/checks/main.ts'];
      const { output } = await scratch.run('node', ...main);
      expect(output).toMatch(/house rules: \d+ packages/);
      const ours = /made-|docs\/booking-systems\.md|^README\.md/;
      expect(output.split('\n').filter((line) => ours.test(line))).toEqual([]);
    },
    patience,
  );

  test.each(contractNames)('%s is at most 20 lines of source', (name) => {
    const sources = globSync(`plugins/${name}/src/**/*`, { cwd: scratch.root });
    expect(sources).toEqual([`plugins/${name}/src/index.ts`]);
    const [source = ''] = sources;
    expect(readFileSync(join(scratch.root, source), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(20);
  });

  test('a fixture is there for each form, and for no other', () => {
    const fixtures = (name: string) => globSync(`plugins/${name}/fixtures/*`, { cwd: scratch.root }).length;
    const forms = (name: string) => (/current|legacy/.test(name) ? 1 : 2);
    expect(contractNames.map(fixtures)).toEqual(contractNames.map(forms));
  });

  test('a vendor’s own API is read by the vendor’s helpers, and the pages say what it does', () => {
    const readIn = (path: string) => readFileSync(join(scratch.root, path), 'utf8');
    expect(readIn('plugins/made-native/src/read.ts')).toContain('vendorDateTime(');
    expect(readIn('docs/booking-systems.md')).toMatch(
      /`made-native` +\| built from documents +\| its own +\| notes +\| booking +\| yes +\| its own +\|/,
    );
    expect(readIn('README.md')).toMatch(
      /\[Made Native\]\(plugins\/made-native\/README\.md\) +\| notes +\| yes +\| yes +\|/,
    );
  });
});

describe('what the generator refuses, and leaves everything as it was', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['a bad name', ['Acme!'], /"Acme!" is no install name: give 2 to 63 lower-case letters/],
    ['a folder that is there', ['standard'], /goes by the name standard already/],
    ['the name of another test project', ['bench'], /goes by the name bench already/],
    ['a wrong choice', ['made-wrong', '--pathShape=sideways'], /pathShape.*sideways.*path.*query/s],
  ])(
    '%s',
    async (_what, words, sentence) => {
      const before = readFileSync(join(scratch.root, 'tsconfig.json'), 'utf8');
      const { status, output } = await scratch.run('nx', 'g', generator, ...words);
      expect(output).toMatch(sentence);
      expect(status).not.toBe(0);
      expect(existsSync(join(scratch.root, 'plugins/made-wrong'))).toBe(false);
      expect(readFileSync(join(scratch.root, 'tsconfig.json'), 'utf8')).toBe(before);
    },
    patience,
  );

  test('its install names are core’s', () => {
    expect(installNamePattern).toEqual(installNamePatternOfCore);
  });
});
