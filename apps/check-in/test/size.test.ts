import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../dist');
const kilobyte = 1024;
const scripts = globSync('assets/*.js', { cwd: dist });
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const sizeOf = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
/** The files that the page loads at once, with their own imports. */
const atOnce = scripts.filter((file) => page.includes(file));
const isLanguage = /assets\/(en|de|es|fr|cs|ar)-/;
/** The largest language's files: the page's words, and the form's sentences; those of the kiosk are smaller than either. */
const language = ['en', 'de', 'es', 'fr', 'cs', 'ar']
  .map((each) =>
    scripts
      .filter((file) => file.startsWith(`assets/${each}-`))
      .toSorted((one, other) => sizeOf([other]) - sizeOf([one]))
      .slice(0, 2),
  )
  .reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));

test('at most 40 KB of script, compressed, until a form can be filled', () => {
  expect(atOnce.length).toBeGreaterThan(0);
  expect(language.length).toBe(2);
  expect(sizeOf([...atOnce, ...language]) / kilobyte).toBeLessThanOrEqual(40);
});

test('at most 64 KB with all that a signing may need, such as photos', () => {
  const others = scripts.filter((file) => !isLanguage.test(file) && !file.includes('/kiosk-'));
  expect(sizeOf([...others, ...language]) / kilobyte).toBeLessThanOrEqual(64);
});

test('at most 12 KB more on a kiosk, in each language', () => {
  const kiosk = scripts.filter((file) => file.includes('/kiosk-'));
  expect(kiosk.length).toBe(1);
  expect(sizeOf(kiosk) / kilobyte).toBeLessThanOrEqual(12);
});

test('nothing of the page is inline, and nothing comes from elsewhere', () => {
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.filter((address) => !address?.startsWith('/check-in/assets/'))).toEqual([]);
});
