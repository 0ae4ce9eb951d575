import { startBookingSystem } from '@waiver-service/simulator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { accountKey, type ConnectedHost, startConnectedHost, textAt } from '../harness/connected-host.ts';
import {
  type ConsolePage,
  expectAccessible,
  keepIntercepting,
  openCommandMenu,
  openConsole,
  openPage,
  settled,
  signIn,
} from '../harness/console-page.ts';
import { longTest } from '../harness/form.ts';

const pool = 'rafting';
const markup = '<img src=x onerror=alert(1)>';

let host: ConnectedHost;
let browser: Browser;
let system: Awaited<ReturnType<typeof startBookingSystem>>;
const opened: ConsolePage[] = [];

const waivers = `/v1/pools/${pool}/waivers`;
const sign = (id: string, answers: object, given: object = {}) =>
  host.admin('POST', waivers, { id, answers, ...given });

beforeAll(async () => {
  [host, browser, system] = await Promise.all([
    startConnectedHost(),
    startBrowser(),
    startBookingSystem({ apiKey: accountKey, form: 'current', pathShape: 'path', authHeaderName: 'api-key' }),
  ]);
  await host.makePool(pool);
  await host.connect('standard', system, pool);
  await sign('W-ada', { name: `Ada ${markup}`, email: 'ada@example.com' }, { bookingId: 'BK-1001' });
  await sign('W-jur', { name: 'Jürgen Müller' }, { currentPage: 'two' });
  for (let number = 1; number <= 120; number += 1) await sign(`W-${number}`, { name: `Crowd ${number}` });
});

afterEach(() => {
  for (const { complaints } of opened.splice(0)) expect(complaints).toEqual([]);
});

afterAll(async () => {
  await browser.close();
  await Promise.all([host.close(), system.close()]);
});

async function asAdmin(options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
  const page = await openConsole(browser, host, options);
  opened.push(page);
  return page.page;
}

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

longTest(
  'versions show times as the page does, and without a clipboard an id is selected to be copied',
  async () => {
    await host.admin('PATCH', `${waivers}/W-jur`, { lastVisit: '2030-01-02T12:00:00Z' });
    const page = await asAdmin();
    await go(page, `/waivers/${pool}/W-jur`);
    const visit = page.getByRole('listitem').filter({ hasText: 'Last visit' });
    await visit.getByText('2 Jan 2030').waitFor();
    expect(await visit.textContent()).not.toMatch(/\dT\d/);
    // As over plain HTTP on a local network.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: /^Copy/ }).first().click();
    await page.getByText('Selected: copy it now').waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('W-jur');
  },
);

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

longTest('a dialog names its guest, and closes when another record comes under it', async () => {
  await sign('W-abe', { name: 'Abe First' });
  await sign('W-bea', { name: 'Bea Second' });
  const page = await asAdmin();
  const dialog = page.getByRole('dialog');
  await go(page, `/waivers/${pool}/W-abe`);
  await page.getByRole('heading', { level: 1, name: 'Abe First' }).waitFor();
  await openCommandMenu(page);
  await page.keyboard.type('bea sec');
  await page.getByRole('option').filter({ hasText: 'Bea Second' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bea Second' }).waitFor();
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('dialog', { name: 'Erase Bea Second' }).waitFor();
  await page.goBack();
  await page.getByText('Abe First').first().waitFor();
  await expect.poll(() => dialog.count()).toBe(0);

  await go(page, `/bookings?pool=${pool}&id=BK-1002`);
  await page.getByRole('region', { name: 'BK-1002' }).waitFor();
  await page.getByLabel('Booking id').fill('BK-1001');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByRole('region', { name: 'BK-1001' }).waitFor();
  await page.getByRole('button', { name: 'Show link and QR code' }).click();
  await dialog.waitFor();
  await page.goBack();
  await page.getByText('BK-1002').first().waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
});

longTest(
  'what was typed stays while the record cannot be read again, unless its guest was erased',
  async () => {
    await sign('W-ida', { name: 'Ida Third' });
    const page = await asAdmin();
    await keepIntercepting(page);
    const record = `**${waivers}/W-ida`;
    await go(page, `/waivers/${pool}/W-ida`);
    await page.getByRole('button', { name: 'Hold…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hold the record of Ida Third' });
    await dialog.getByLabel('Reason').fill('A claim is open');
    await page.route(record, (route) =>
      route.fulfill({ status: 429, json: { code: 'too_many_requests', message: 'Too many requests.' } }),
    );
    await page.getByText('Too many requests.').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('A claim is open');
    await page.unroute(record);
    await dialog.getByRole('button', { name: 'Hold' }).click();
    await page.getByText('A claim is open').waitFor();
    await page.getByText('Too many requests.').waitFor({ state: 'detached' });

    await host.admin('DELETE', `/v1/admin/pools/${pool}/waivers/W-ida/hold`);
    await host.admin('POST', `/v1/admin/pools/${pool}/erasures`, { waiverId: 'W-ida' });
    await page.getByText('was erased').waitFor();
    expect(await page.getByText('Ida Third').count()).toBe(0);
  },
);

longTest('a viewer cannot search, and sees versions without answers', async () => {
  const { body } = await host.admin('POST', '/v1/admin/credentials', { name: 'Vi', role: 'viewer' });
  const entered = await openPage(browser);
  opened.push(entered);
  const { page } = entered;
  await signIn(page, host.url, textAt(body, 'token'));
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await go(page, `/waivers?pool=${pool}`);
  await page.getByRole('row').nth(1).waitFor();
  expect(await page.getByLabel('Search', { exact: true }).count()).toBe(0);
  await host.admin('PATCH', `${waivers}/W-jur`, { currentPage: null, answers: { notes: 'seen by staff' } });
  await go(page, `/waivers/${pool}/W-jur`);
  await page.getByText('Version 2').first().waitFor();
  expect(await page.getByText('seen by staff').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Erase…' }).count()).toBe(0);
});

longTest.each(['light', 'dark'] as const)(
  'a record fits a phone in %s, for everyone',
  async (colorScheme) => {
    const page = await asAdmin({ colorScheme, viewport: { width: 360, height: 740 } });
    for (const path of [`/waivers/${pool}/W-ada`, `/waivers?pool=${pool}`]) {
      await go(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await expectAccessible(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  },
);
