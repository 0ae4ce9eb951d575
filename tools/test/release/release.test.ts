import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findManifestProblems, publishedPackages } from '../../src/checks/manifests.ts';
import { readWorkspace } from '../../src/checks/workspace.ts';
import { readUnreleased, withRelease } from '../../src/release/changelog.ts';
import { exampleOf, setVersion } from '../../src/release/release.ts';

const changelog = `# Changelog

## Unreleased

Kiosks work offline.

### Breaking

- \`PORT\` is gone.

### Upgrade notes

## 0.1.0 (2026-01-01)

The first release.
`;

test('a release takes what people wrote, adds the changes by package, and empties "Unreleased"', () => {
  const commits = [
    { title: 'Waivers have a colour', files: ['packages/core/src/waiver.ts', 'packages/core/README.md'] },
    { title: 'Colours are stored', files: ['packages/core/src/a.ts', 'apps/host/src/b.ts'] },
    { title: 'Ports are read', files: ['apps/host/src/c.ts'] },
    { title: 'A test', files: ['packages/core/test/a.test.ts'] },
    { title: 'A page', files: ['docs/a.md', 'apps/host/README.md'] },
  ];
  const folders = ['apps/host', 'packages/core'];
  const released = withRelease(changelog, { version: '0.2.0', date: '2026-02-03', commits, folders });
  expect(released).toBe(`# Changelog

## Unreleased

### Breaking

### Upgrade notes

## 0.2.0 (2026-02-03)

Kiosks work offline.

### Breaking

- \`PORT\` is gone.

### Changes

#### apps/host

- Ports are read

#### packages/core

- Waivers have a colour

#### Several packages

- Colours are stored

## 0.1.0 (2026-01-01)

The first release.
`);
  expect(readUnreleased(released)).toEqual({ summary: '', breaking: '', upgradeNotes: '' });
});

test('of a README, the example runs that can; of one that needs more, the imports', () => {
  const fenced = (language: string, text: string) => `# P\n\n\`\`\`${language}\n${text}\n\`\`\`\n`;
  const code = "import { a } from 'a';\n\na();";
  expect(exampleOf(fenced('ts', code))).toEqual({ language: 'ts', text: `${code}\n` });
  const declaring = fenced('ts', code).replace('```ts', '<!-- ts: declare const b: string; -->\n\n```ts');
  expect(exampleOf(declaring)).toEqual({ language: 'ts', text: "import { a } from 'a';" });
  expect(exampleOf(fenced('ts', "import plugin from '../src/index.ts';"))).toBeUndefined();
  expect(exampleOf(fenced('sh', 'npm create a'))).toEqual({ language: 'sh', text: 'npm create a\n' });
  expect(exampleOf(fenced('sh', 'a http://127.0.0.1:3000'))).toBeUndefined();
});

const common = {
  version: '0.1.0',
  author: 'a',
  repository: { type: 'git', url: 'git+https://repository.example/a.git' },
  homepage: 'https://repository.example/a#readme',
  bugs: { url: 'https://repository.example/a/issues' },
};

/** A workspace with two published packages, one of which needs the other. */
function writeWorkspace(change: object = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'waiver-workspace-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, content: object) =>
    writeFileSync(join(root, path), `${JSON.stringify(content, null, 2)}\n`);
  const packageIn = (folder: string, more: object) => {
    mkdirSync(join(root, folder), { recursive: true });
    write(`${folder}/tsconfig.json`, {});
    const repository = { ...common.repository, directory: folder };
    const publishConfig = { access: 'public' };
    write(`${folder}/package.json`, { ...common, repository, publishConfig, ...more });
  };
  write('package.json', { ...common, name: 'root' });
  mkdirSync(join(root, 'deploy/helm'), { recursive: true });
  writeFileSync(join(root, 'deploy/helm/Chart.yaml'), 'apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n');
  packageIn('packages/one', { name: 'one', dependencies: { zod: '0.1.0' } });
  packageIn('packages/two', { name: 'two', dependencies: { one: '0.1.0', zod: '0.1.0' }, ...change });
  const locked = { version: '0.1.0', dependencies: { one: '0.1.0' } };
  write('package-lock.json', {
    name: 'root',
    version: '0.1.0',
    packages: { '': { version: '0.1.0' }, 'node_modules/zod': locked, 'packages/two': locked },
  });
  return root;
}

test('a version is set everywhere it stands for ours, and nowhere else', () => {
  const root = writeWorkspace();
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const before = read('packages/two/package.json');
  setVersion(root, '0.2.0');
  expect(read('packages/two/package.json')).toBe(
    before.replace('"version": "0.1.0"', '"version": "0.2.0"').replace('"one": "0.1.0"', '"one": "0.2.0"'),
  );
  expect(read('deploy/helm/Chart.yaml')).toBe('apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n');
  const others = { version: '0.1.0', dependencies: { one: '0.1.0' } };
  const ours = { version: '0.2.0', dependencies: { one: '0.2.0' } };
  expect(JSON.parse(read('package-lock.json'))).toEqual({
    name: 'root',
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, 'node_modules/zod': others, 'packages/two': ours },
  });
  expect(findManifestProblems(readWorkspace(root))).toEqual([]);
});

test.each([
  ['another version', { version: '0.1.1' }, 'version must be "0.1.0"'],
  ['no author', { author: undefined }, 'author must be "a"'],
  ['another folder', { repository: common.repository }, 'repository must be'],
  ['a range of ours', { dependencies: { one: '^0.1.0' } }, 'needs one in exactly the version 0.1.0'],
])('%s is a problem', (_what, change, problem) => {
  const problems = findManifestProblems(readWorkspace(writeWorkspace(change)));
  expect(problems).toEqual([expect.stringContaining(`packages/two/package.json: ${problem}`)]);
});

test('a published package needs no unpublished one', () => {
  const root = writeWorkspace();
  const path = join(root, 'packages/one/package.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"public"', '"restricted"'));
  const workspace = readWorkspace(root);
  expect(publishedPackages(workspace).map(({ name }) => name)).toEqual(['two']);
  expect(findManifestProblems(workspace)).toEqual([
    'packages/two/package.json: is published, but depends on one, which is not',
  ]);
});
