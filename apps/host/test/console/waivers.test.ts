import type { startBookingSystem } from '@waiver-service/simulator';
import { startSystemFor } from '@waiver-service/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { expectAccessible, openCommandMenu, openConsole } from '../harness/console-page.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const pool = 'rafting';
const markup = '<img src=x onerror=alert(1)>';

let host: TestHost;
let browser: Browser;
let system: Awaited<ReturnType<typeof startBookingSystem>>;

const waivers = `/v1/pools/${pool}/waivers`;
const sign = (id: string, answers: object, given: object = {}) =>
  host.admin('POST', waivers, { id, answers, ...given });

beforeAll(async () => {
  [host, browser, system] = await Promise.all([startTestHost(), startBrowser(), startSystemFor('standard')]);
  await host.makePool(pool);
  await host.connect('standard', system, pool);
  await sign('W-ada', { name: `Ada ${markup}`, email: 'ada@example.com' }, { bookingId: 'BK-1001' });
  await sign('W-jur', { name: 'Jürgen Müller' }, { currentPage: 'two' });
  for (let number = 111; number <= 120; number += 1) await sign(`W-${number}`, { name: `Crowd ${number}` });
});

afterAll(async () => {
  await browser.close();
  await Promise.all([host.close(), system.close()]);
});

const asAdmin = async () => (await openConsole(browser, host)).page;

const go = (page: Page, path: string) => page.goto(`${host.url}/console${path}`);

test('a waiver is found as its name is typed, moved, and voided; the versions tell all of it', async () => {
  const page = await asAdmin();
  page.on('dialog', () => expect.unreachable('markup ran'));
  await go(page, `/waivers?pool=${pool}`);
  await page.getByRole('row').filter({ hasText: 'Crowd 120' }).waitFor();
  await sign('W-new', { name: 'Crowd 121' });
  await page.getByRole('row').filter({ hasText: 'Crowd 121' }).waitFor();
  const search = page.getByLabel('Search', { exact: true });
  await search.fill('nobody ');
  await page.getByText('No matching waivers').waitFor();
  // The next word may follow the space.
  expect(await search.inputValue()).toBe('nobody ');
  await search.fill('ada');
  await page.getByRole('row').filter({ hasText: markup }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  // Guests' names stay out of the address, and come back with the page.
  expect(page.url()).not.toContain('ada');
  await page.getByRole('link', { name: 'Ada' }).click();
  await page.getByRole('heading', { level: 1, name: markup }).waitFor();
  await page.goBack();
  await expect.poll(() => search.inputValue()).toBe('ada');
  await page.getByRole('link', { name: 'Ada' }).click();

  await page.getByRole('button', { name: 'Move…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('a previous booking is notified that the waiver is no longer').waitFor();
  await dialog.getByLabel('Booking id').fill('BK-1002');
  await dialog.getByRole('button', { name: 'Find' }).click();
  await dialog.getByLabel(`${markup} is`).selectOption('Ægir Þórsson');
  await dialog.getByRole('button', { name: 'Attach' }).click();
  await page.getByText('Attached. The booking system will be updated.').waitFor();
  const moved = page.getByRole('listitem').filter({ hasText: 'removed it from its previous booking' });
  await moved.getByText('BK-1001').waitFor();
  await moved.getByText('BK-1002').waitFor();
  await moved.getByText('by admin').waitFor();

  await page.getByRole('button', { name: 'Void' }).click();
  await dialog.getByText('Voiding is final').waitFor();
  await dialog.getByRole('button', { name: 'Void' }).click();
  await page.getByText('Waiver voided.').waitFor();
  expect(await page.getByRole('button', { name: 'Move…' }).count()).toBe(0);
});

test('lists are of one state, and the command menu finds guests', async () => {
  const page = await asAdmin();
  await go(page, `/waivers?pool=${pool}`);
  await page.getByLabel('State').selectOption('In progress');
  await page.getByRole('row').filter({ hasText: 'Jürgen' }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  expect(page.url()).toContain('state=unfinished');
  await openCommandMenu(page);
  await page.keyboard.type('jurgen mul');
  await page.getByRole('option').filter({ hasText: 'Jürgen Müller' }).waitFor();
  await page.getByRole('option').filter({ hasText: 'Jürgen Müller' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jürgen Müller' }).waitFor();
});

test('a record is held, released, exported and erased', async () => {
  await sign('W-held', { name: 'Hedda', email: 'hedda@example.com' });
  await sign('W-too', { name: 'Hedda', email: 'Hedda@example.com' });
  const page = await asAdmin();
  await go(page, `/waivers/${pool}/W-held`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Hold…' }).click();
  await dialog.getByLabel('Reason').fill('A claim is open');
  await dialog.getByRole('button', { name: 'Hold' }).click();
  await page.getByText('A claim is open').waitFor();
  await go(page, `/waivers?pool=${pool}&state=held`);
  await page.getByRole('row').filter({ hasText: 'Hedda' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name: 'Hedda' }).click();
  expect(await page.getByRole('button', { name: 'Erase…' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Release' }).click();
  await dialog.getByRole('button', { name: 'Release' }).click();
  await page.getByText('Hold released.').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('guest.json');
  await page.getByRole('button', { name: 'Erase…' }).click();
  await dialog.getByText('Erasing is final').waitFor();
  await dialog.getByLabel('What to erase').selectOption('Every record with hedda@example.com');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page.getByText('2 records are erased.').waitFor();
  expect(await host.admin('GET', `${waivers}/W-too`)).toMatchObject({ status: 410 });
  await go(page, `/waivers/${pool}/W-held`);
  await page.getByText('was erased').waitFor();
  await go(page, `/waivers?pool=${pool}`);
  await page.getByLabel('State').selectOption('Erased');
  await page.getByRole('row').filter({ hasText: 'W-too' }).getByText('admin-token').waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
  await expectAccessible(page);
  await page.getByLabel('State').selectOption('Any state');
  await page.getByRole('row').filter({ hasText: 'Crowd 120' }).waitFor();
});
