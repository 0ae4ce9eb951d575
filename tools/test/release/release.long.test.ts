import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRelease } from '../../src/release/release.ts';
import { createScratchWorkspace, type ScratchWorkspace } from '../scratch/scratch-workspace.ts';

// Two whole releases, on a busy machine.
const patience = 1_800_000;

let scratch: ScratchWorkspace;
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    cwd: scratch.root,
    encoding: 'utf8',
  });

beforeAll(() => {
  scratch = createScratchWorkspace();
  git('init', '--quiet');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.com');
  // The packages' own folders are links here, which .gitignore does not mean.
  appendFileSync(join(scratch.root, '.git/info/exclude'), 'node_modules\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All of it');
});
afterAll(() => scratch.remove());

async function release(version: string, into: string, tag = false): Promise<string[]> {
  const said: string[] = [];
  const say = (sentence: string) => said.push(sentence);
  await makeRelease(scratch.root, { version, into: join(scratch.root, 'dist', into), tag, say });
  return said;
}

test.each([
  ['0.0.9', /0\.0\.9 is older than/],
  ['next', /"next" is no version/],
])('%s is refused', async (version, reason) => {
  await expect(release(version, 'refused')).rejects.toThrow(reason);
});

test(
  'a dry release changes nothing; a second and a real one have the same packages, which install and run',
  async () => {
    const head = git('rev-parse', 'HEAD');
    const said = await release('0.9.0', 'dry');
    expect(said.filter((line) => /npm install @?[\w/-]+; /.test(line)).length).toBeGreaterThanOrEqual(8);
    expect(said.join('\n')).toMatch(/create-waiver-service-plugin: .*npm create .*; npm test/);
    expect([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]).toEqual([head, '', '']);

    await release('0.9.0', 'real', true);
    const folder = (name: string) => join(scratch.root, 'dist', name);
    const files = readdirSync(folder('dry'));
    expect(files.filter((file) => file.endsWith('-0.9.0.tgz'))).toHaveLength(9);
    expect(readdirSync(folder('real'))).toEqual(files);
    for (const file of files)
      expect(
        readFileSync(join(folder('real'), file)).equals(readFileSync(join(folder('dry'), file))),
        file,
      ).toBe(true);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder('real') });

    expect(git('tag').trim()).toBe('v0.9.0');
    expect(git('log', '-1', '--format=%s').trim()).toBe('Release 0.9.0');
    expect(readFileSync(join(scratch.root, 'CHANGELOG.md'), 'utf8')).toMatch(
      /^## 0\.9\.0 \(\d{4}-\d\d-\d\d\)$/m,
    );
    await expect(release('0.9.0', 'again')).rejects.toThrow('There is a tag v0.9.0 already');
  },
  patience,
);
