import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, pagesWithCurl } from '../harness/documented-blocks.ts';

const root = join(import.meta.dirname, '../../../..');

/** The pages of operators and of who calls the service. */
const pages = [
  'README.md',
  'SECURITY.md',
  'apps/host/README.md',
  ...globSync('docs/*.md', { cwd: root }).filter(
    (page) => !['docs/development.md', 'docs/benchmarks.md'].includes(page),
  ),
];

/** Blocks that no test runs as they are, and why. */
const notRun: readonly { readonly page: string; readonly beginning: string; readonly why: string }[] = [
  { page: 'README.md', beginning: 'npm ci && npm run demo', why: 'tools/test/demo starts what it builds' },
  { page: 'README.md', beginning: 'npm ci && npm test', why: 'it runs this test' },
  { page: 'apps/host/README.md', beginning: 'npm start', why: 'as in docs/operating.md' },
  {
    page: 'docs/operating.md',
    beginning: 'sudo install',
    why: 'it needs systemd as the first process; systemd-analyze verify takes the unit',
  },
  {
    page: 'docs/operating.md',
    beginning: 'docker compose',
    why: 'it needs a container engine and its images; tools/test/package takes the steps of the Dockerfile',
  },
  {
    page: 'docs/operating.md',
    beginning: 'kubectl create secret',
    why: 'it needs a cluster; the workflow renders and checks the chart',
  },
  {
    page: 'docs/evidence.md',
    beginning: 'npx --no-install waiver-service verify',
    why: 'apps/partner-check/test/verify.test.ts starts the command',
  },
  {
    page: 'docs/evidence.md',
    beginning: 'jq -j',
    why: 'it needs jq; packages/evidence/test has the same steps',
  },
  {
    page: 'docs/evidence.md',
    beginning: "jq -r '.stamp.token'",
    why: 'it needs the certificate of an authority; packages/evidence/test has one made by openssl',
  },
  {
    page: 'docs/console.md',
    beginning: 'OUTBOUND_ALLOW=127.0.0.1/32 npm start',
    why: 'tools/test/sandbox.test.ts starts the sandbox, and first-steps.test.ts goes the steps with it',
  },
];

const isCurl = (line: string) => line.trim() === '' || line.startsWith('curl ');
const linesOf = (text: string) => text.replaceAll(/\\\n\s*/g, '').split('\n');

/** The beginnings by which tests take blocks of pages to run them. */
const taken = globSync('{apps/*,tools,test}/**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
  .flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /documentedBlock\(\s*'([^']+)',\s*(?:'([^']+)'|"([^"]+)"|`([^`]+)`),?\s*\)/g,
    ),
  ])
  .map(([, page = '', ...beginnings]) => ({
    page,
    beginning: beginnings.find((one) => one !== undefined)?.replaceAll('\\n', '\n') ?? '',
  }));

const blocks = pages.flatMap((page) => blocksOf(page).map(({ text }) => ({ page, text })));
const isOf =
  ({ page, text }: { readonly page: string; readonly text: string }) =>
  (one: { readonly page: string; readonly beginning: string }) =>
    one.page === page && text.startsWith(one.beginning);

test('a test runs every command of the pages, or it is said why none can', () => {
  const neither = blocks
    .filter((block) => !taken.some(isOf(block)) && !notRun.some(isOf(block)))
    .filter(({ page, text }) => !pagesWithCurl.includes(page) || !linesOf(text).every(isCurl));
  expect(
    neither,
    'run each in a test, which takes it by documentedBlock(page, beginning), or say why not in notRun',
  ).toEqual([]);
});

test('every exception is a documented block that does not run', () => {
  for (const one of notRun) {
    const there = blocks.filter((block) => isOf(block)(one));
    expect([one.beginning, there.length]).toEqual([one.beginning, 1]);
    expect(there.filter((block) => taken.some(isOf(block)))).toEqual([]);
  }
  expect(notRun.length).toBeLessThanOrEqual(10);
});
