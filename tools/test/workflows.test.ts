import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishedPackages } from '../src/checks/manifests.ts';
import { findWorkflowProblems } from '../src/checks/workflows.ts';
import { readWorkspace } from '../src/checks/workspace.ts';
import { repository } from '../src/outside/outside-place.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'workflows-'));
  mkdirSync(join(root, '.github/workflows'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"scripts":{"check":"true"}}');
});
afterEach(() => rmSync(root, { recursive: true }));

const hash = 'a'.repeat(40);
const sound = `name: gate
on:
  push:
permissions:
  contents: read
jobs:
  gate:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@${hash} # v7.0.1
      - run: npm run check
`;

function problemsOf(text: string): string[] {
  writeFileSync(join(root, '.github/workflows/gate.yml'), text);
  return findWorkflowProblems({ root });
}

test('a sound workflow has no problems', () => {
  expect(problemsOf(sound)).toEqual([]);
});

test.each([
  ['an action by its tag', `@${hash} # v7.0.1`, '@v7', /pin it by a commit/],
  ['a hash without its version', ' # v7.0.1', '', /pin it by a commit/],
  ['a key that GitHub does not know', 'timeout-minutes', 'timeout', /jobs\.gate/],
  ['a moving image', 'ubuntu-24.04', 'ubuntu-latest', /name a version/],
  ['a right to write for every job', 'contents: read', 'contents: write', /permissions/],
  ['a job that is not there', 'timeout-minutes', 'needs: build\n    timeout-minutes', /needs build/],
  ['a script that is not there', 'run check', 'run chek', /npm run chek/],
  ['an expression in a script', 'npm run check', 'echo ${' + '{ github.head_ref }}', /pass it by env/],
])('%s is a problem', (_what, from, to, problem) => {
  expect(problemsOf(sound.replace(from, to)).join('\n')).toMatch(problem);
});

test('the release publishes the packages that say so, and no other', () => {
  const workflow = readFileSync(join(repository, '.github/workflows/release.yml'), 'utf8');
  const [, selector = ''] = /npm query "([^"]+)"/.exec(workflow) ?? [];
  const found: { location: string }[] = JSON.parse(
    execFileSync('npm', ['query', selector], { cwd: repository, encoding: 'utf8' }),
  );
  const published = publishedPackages(readWorkspace(repository)).map(({ folder }) => folder);
  expect(found.map(({ location }) => location).toSorted()).toEqual(published.toSorted());
  expect(published).toContain('packages/core');
});
