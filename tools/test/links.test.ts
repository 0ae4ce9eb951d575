import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anchorOf, findBrokenLinks } from '../src/checks/links.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'links-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test.each([
  ['Install and uninstall (contract 4.4, 4.5)', 'install-and-uninstall-contract-44-45'],
  ['1. Its responses: `fixtures`', '1-its-responses-fixtures'],
  ['Größe – [überall](x.md)', 'größe--überall'],
])('the heading %j has the anchor %j', (heading, anchor) => {
  expect(anchorOf(heading)).toBe(anchor);
});

test('links to files, folders, headings and other sites are fine', () => {
  write('README.md', '# Top\n\n[a](docs/a.md#one-two) [b](docs) [c](https://example.com/x#y) [d](#top)\n');
  write('docs/a.md', '# A\n\n## One `two`\n\n[up](../README.md)\n');
  expect(findBrokenLinks({ root })).toEqual([]);
});

test('a missing picture is a problem', () => {
  write('a.png', '');
  write('README.md', '<img src="a.png" alt="A">\n<img src="b.png" alt="B">\n![C](c.png)\n');
  expect(findBrokenLinks({ root })).toEqual([
    'README.md: b.png: there is no such file',
    'README.md: c.png: there is no such file',
  ]);
});

test('a missing file and a missing heading are problems', () => {
  write('README.md', '[a](docs/a.md#three) [b](docs/b.md)\n');
  write('docs/a.md', '# A\n\n```sh\n# three\n```\n');
  expect(findBrokenLinks({ root })).toEqual([
    'README.md: docs/a.md#three: the page has no such heading',
    'README.md: docs/b.md: there is no such file',
  ]);
});

test('llms.txt and the pages of .github are looked at, too', () => {
  write('llms.txt', '- [a](a.md)\n');
  write('.github/pull_request_template.md', '[b](../b.md)\n');
  expect(findBrokenLinks({ root })).toEqual([
    '.github/pull_request_template.md: ../b.md: there is no such file',
    'llms.txt: a.md: there is no such file',
  ]);
});

test('code and installed packages are not looked at', () => {
  write('README.md', '```md\n[a](a.md)\n```\n');
  write('node_modules/some/README.md', '[a](a.md)\n');
  expect(findBrokenLinks({ root })).toEqual([]);
});
