import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import { accountKey, startSystemFor } from '@waiver-service/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { expectAccessible, openConsole } from '../harness/console-page.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

// A browser looks at many pages.
vi.setConfig({ testTimeout: 300_000 });

let host: TestHost;
let browser: Browser;
let system: SimulatedBookingSystem;

beforeAll(async () => {
  [host, browser, system] = await Promise.all([startTestHost(), startBrowser(), startSystemFor('standard')]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([host.close(), system.close()]);
});

const steps = async () => (await host.admin('GET', '/v1/admin/first-steps')).body;
const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('an owner goes from an empty service to the first booking read, in the page', async () => {
  const { page } = await openConsole(browser, host);
  expect(await steps()).toEqual({ bookingSystem: false, pool: false, installation: false, booking: false });
  await page.getByText('Nothing is set up yet').waitFor();
  await page.getByRole('link', { name: 'Start' }).click();
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
  await page.getByText('npm run sandbox', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await fits(page)).toBe(true);

  await page.getByLabel('Booking system', { exact: true }).selectOption('Standard booking system');
  await page.getByLabel('Base address').fill('http://10.0.0.1/');
  await page.keyboard.press('Enter');
  await page.getByText('OUTBOUND_ALLOW').first().waitFor();
  await page.getByLabel('Base address').fill(system.url);
  await page.keyboard.press('Enter');

  // By keyboard only, after leaving the page: finished steps stay finished.
  await page.getByRole('button', { name: 'Add pool' }).waitFor();
  await page.goto(`${host.url}/console/`);
  await page.getByText('1 of 4 steps done').waitFor();
  await page.getByRole('link', { name: 'Continue' }).press('Enter');
  await page.getByRole('button', { name: 'Add pool' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Pool id').fill('rafting');
  await dialog.getByLabel('Name').fill('Rafting');
  await dialog.getByLabel('Name').press('Enter');

  await page.getByLabel('Account id').fill('4711');
  await expectAccessible(page);
  expect(await fits(page)).toBe(true);
  await page.getByLabel('API key', { exact: true }).fill(accountKey);
  await page.getByLabel('API key', { exact: true }).press('Enter');

  await page.getByText(/^wsp_/).waitFor();
  await page.getByLabel('Booking id').fill('nowhere');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Booking id').fill('BK-1001');
  await page.keyboard.press('Enter');
  await page.getByText('Setup is complete').waitFor();
  await page.getByText(/Booking BK-1001 was read: \d guests/).waitFor();
  await expectAccessible(page);
  expect(await fits(page)).toBe(true);
  expect(await steps()).toEqual({ bookingSystem: true, pool: true, installation: true, booking: true });

  // The token that is made from here works in the call that is shown with it.
  await page.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const shown = await dialog.getByText(/^curl /).textContent();
  const { stdout } = await promisify(execFile)('sh', ['-c', shown ?? '']);
  expect(JSON.parse(stdout)).toMatchObject({ booking: { id: 'BK-1001' } });
  await dialog.getByRole('button', { name: 'Done' }).click();
  const token = /Bearer ([^']+)/.exec(shown ?? '')?.[1] ?? '';
  expect(token).not.toBe('');
  expect(await page.getByText(token).count()).toBe(0);
  for (const [next, field] of [
    ['Add webhook', 'URL'],
    ['Add person', 'Role'],
  ] as const) {
    await page.getByRole('button', { name: next }).click();
    await dialog.getByLabel(field, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }

  // With one pool, it is chosen.
  for (const path of ['waivers', 'bookings']) {
    await page.goto(`${host.url}/console/${path}`);
    await page.waitForURL(/pool=rafting/);
    expect(await page.getByText('Choose a pool').count()).toBe(0);
  }
  await page.goto(`${host.url}/console/waivers`);
  await page.getByText('Waivers appear here as soon as').waitFor();
  await page.goto(`${host.url}/console/bookings?id=BK-1001`);
  await page.getByRole('heading', { level: 1, name: 'Bookings' }).waitFor();
  await page.goto(`${host.url}/console/`);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  expect(await page.getByText('of 4 steps done').count()).toBe(0);
});
