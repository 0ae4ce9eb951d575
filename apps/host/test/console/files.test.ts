import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

describe('the console’s files', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startTestHost();
  });
  afterAll(() => host.close());

  const get = (path: string) => host.call('GET', path, undefined, { token: null });

  async function scripts(): Promise<string[]> {
    const { text } = await get('/console/');
    return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  }

  test('every address of a page gets the page, under a policy that allows nothing inline', async () => {
    for (const path of ['/console/', '/console/deliveries/some-id', '/console/no-such-page']) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
  });

  test('its files are kept by browsers, and sent compressed', async () => {
    const files = await scripts();
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const answer = await fetch(`${host.url}${file}`, { headers: { 'accept-encoding': 'br' } });
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers.get('cache-control')).toContain('immutable');
      if (!file.endsWith('.svg')) expect(answer.headers.get('content-encoding')).toBe('br');
    }
  });

  const maxFirstLoadBytes = 200 * 1024;

  test('the console loads at most 200 KiB of compressed script to show the overview', async () => {
    const sizes = new Map<string, number>();
    async function load(file: string): Promise<string> {
      if (sizes.has(file)) return '';
      const { text } = await get(`/console/assets/${file}`);
      sizes.set(file, gzipSync(text).length);
      const imported = [...text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, name = '']) => name);
      for (const name of imported) await load(name);
      return text;
    }
    let entry = '';
    for (const address of await scripts()) {
      if (address.endsWith('.js')) entry += await load(address.replace('/console/assets/', ''));
    }
    const [, overview = ''] = /import\(["`]\.\/(overview-page-[^"`]+\.js)/.exec(entry) ?? [];
    expect(await load(overview), 'the entry names the overview’s script').not.toBe('');
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const largest = [...sizes].toSorted(([, one], [, other]) => other - one).slice(0, 8);
    expect(total, JSON.stringify(largest)).toBeLessThanOrEqual(maxFirstLoadBytes);
    expect(total).toBeGreaterThan(50_000);
  });

  test.each([
    '/console/assets/no-such-file.js',
    '/console/assets/..%2findex.html',
    '/console/assets/..%2f..%2fpackage.json',
  ])('there is nothing at %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const dist = join(root, 'apps/console/dist');

/** A file that was deleted and restored has another inode. */
const filesThere = () =>
  globSync('**/*', { cwd: dist })
    .toSorted()
    .map((path) => `${path} ${statSync(join(dist, path)).ino}`);

test('a second start of a checkout touches no file of the console that a first one serves', () => {
  const before = filesThere();
  expect(before.length).toBeGreaterThan(3);
  // The step before `npm start` that concerns the console.
  execFileSync('npm', ['run', 'build:console'], {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: 'pipe',
  });
  expect(filesThere()).toEqual(before);
});
