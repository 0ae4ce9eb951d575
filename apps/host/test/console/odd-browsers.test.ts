import { isLong } from '@waiver-service/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConsole, settled } from '../harness/console-page.ts';
import { bookingId, type ConsoleScene, pool, startConsoleScene } from '../harness/console-scene.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterAll(() => scene.close());

/** With dates, numbers, a list and charts. */
const telling = () => ['/deliveries', '/'];
const all = () => [
  `/bookings?pool=${pool}&id=${bookingId}`,
  `/bookings?pool=${pool}`,
  `/waivers?pool=${pool}`,
  '/destinations',
  '/pools',
  `/pools/${pool}`,
  '/booking-systems',
  '/booking-systems/bookeo',
  '/alerts',
  '/people',
  '/start',
  '/audit',
  `/waivers/${pool}/${scene.waiverId}`,
  ...telling(),
];

const failed = (page: Page) => page.getByText(/Something went wrong|could not be shown/).count();

async function expectShown(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await scene.go(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    expect([path, await failed(page)]).toEqual([path, 0]);
    const text = await page.locator('body').textContent();
    expect(text, path).not.toMatch(/Invalid Date|NaN|[\u0660-\u0669\u06f0-\u06f9]/);
  }
  // The overview's charts are drawn.
  expect(await page.locator('.uplot canvas').count()).toBe(2);
}

/** The first time on the page of a waiver: as the console shows it, and in UTC. */
async function firstTime(page: Page): Promise<{ shown: string; at: Date }> {
  await scene.go(page, `/waivers/${pool}/${scene.waiverId}`);
  const time = page.locator('time').first();
  const title = (await time.getAttribute('title')) ?? '';
  const [shown = '', utc = ''] = title.split(' · ');
  return { shown, at: new Date(utc) };
}

const monthOf = (at: Date, timeZone: string) =>
  at.toLocaleString('en-GB', { month: 'short', year: 'numeric', timeZone });
const timeOf = (at: Date, timeZone: string) =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone });

/** The console in a browser that names its languages so; Playwright itself would refuse some of them. */
async function withLanguage(language: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await scene.asAdmin(options);
  await page.addInitScript((tag) => {
    Object.defineProperty(Navigator.prototype, 'language', { get: () => tag });
    Object.defineProperty(Navigator.prototype, 'languages', { get: () => [tag] });
  }, language);
  return page;
}

const languages = [
  ['en-US@posix', undefined],
  ['th-TH-u-ca-buddhist', 'th-TH-u-ca-buddhist'],
] as const;
const otherLanguages = [
  ['x-klingon', undefined],
  ['', undefined],
  ['ar-EG', 'ar-EG'],
] as const;

describe.each(isLong ? [...languages, ...otherLanguages] : languages)(
  'a browser whose language is “%s”',
  (language, locale) => {
    test('shows its pages, their dates and numbers as elsewhere', async () => {
      const page = await withLanguage(language, locale === undefined ? {} : { locale });
      await expectShown(page, isLong ? all() : telling());
      const { shown, at } = await firstTime(page);
      const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
      expect(shown).toContain(monthOf(at, zone));
      expect(shown).toContain(timeOf(at, zone));
    });
  },
);

test.each(['Asia/Kolkata', 'America/St_Johns'])('in %s, times are in that zone', async (timezoneId) => {
  const page = await scene.asAdmin({ timezoneId });
  const { shown, at } = await firstTime(page);
  expect(shown).toContain(timeOf(at, timezoneId));
  await page.goto(`${scene.host.url}/console/bookings?pool=${pool}`);
  const today = new Date().toLocaleDateString('sv-SE', { timeZone: timezoneId });
  expect(await page.getByRole('textbox', { name: 'Day' }).inputValue()).toBe(today);
});

test('a browser that refuses storage shows its pages, and a theme for as long as it is open', async () => {
  const page = await scene.asAdmin();
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  });
  await expectShown(page, telling());
  await page.getByText('Dark', { exact: true }).click();
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
});

describe('a page that cannot be drawn', () => {
  const secret = 'Zoë of BK-1001';
  const breakDestinations = (page: Page) =>
    page.route(/destinations-page-.*\.js/, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `export const DestinationsPage = () => { throw new RangeError(${JSON.stringify(secret)}) };`,
      }),
    );

  test('says what happened and what to tell the operator, and leaves the other pages usable', async () => {
    const { page, complaints } = await openConsole(scene.browser, scene.host);
    await breakDestinations(page);
    await page.getByRole('link', { name: 'Destinations' }).click();
    await page.getByRole('heading', { level: 1, name: 'This page could not be shown' }).waitFor();
    const text = await page.locator('body').textContent();
    expect(text).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z · \/console\/destinations · RangeError/);
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\.js|Something went wrong/);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    expect(await failed(page)).toBe(0);
    expect(complaints.splice(0)).toEqual([expect.stringContaining(secret)]);
  });
});
