import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CheckInScene, startCheckInScene } from '../harness/check-in-page.ts';
import { type ConsolePage, openConsole } from '../harness/console-page.ts';

const pool = 'rafting';

let scene: CheckInScene;
const opened: ConsolePage[] = [];

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterEach(() => {
  for (const { complaints } of opened.splice(0)) expect(complaints).toEqual([]);
});
afterAll(() => scene?.close());

async function asAdmin(options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
  const page = await openConsole(scene.browser, scene.checkIn.host, options);
  opened.push(page);
  return page.page;
}

const go = (page: Page, path: string) => page.goto(`${scene.checkIn.host.url}/console${path}`);

/** The link's page, as the guest's browser reads it. */
const session = async (url: string) =>
  (await scene.checkIn.host.as(url.split('/').at(-1) ?? '')('GET', '/check-in/api/session')).body;

async function shownLink(page: Page): Promise<string> {
  const shown = page.locator('code').filter({ hasText: '/check-in/' });
  await shown.waitFor();
  return (await shown.textContent()) ?? '';
}

test('a booking’s link is revoked, and another one is made', async () => {
  const page = await asAdmin();
  await go(page, `/bookings?pool=${pool}&id=BK-1002`);
  const checkIn = page.getByRole('region', { name: 'Check-in' });
  await checkIn.getByText('No links yet').waitFor();
  await checkIn.getByRole('button', { name: 'Show link and QR code' }).click();
  const first = await shownLink(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await checkIn.getByText('For all guests').waitFor();
  await checkIn.getByRole('button', { name: 'Show link and QR code' }).click();
  expect(await shownLink(page)).toBe(first);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await checkIn.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByText('It stops working at once').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await checkIn.getByText('No links yet').waitFor();
  expect(await session(first)).toMatchObject({ code: 'link_revoked' });
  await checkIn.getByRole('button', { name: 'Show link and QR code' }).click();
  await page.getByText('The link of this booking was revoked.').waitFor();
  await page.getByRole('button', { name: 'Make a new link' }).click();
  await page.getByText('It will not be shown again').waitFor();
  const second = await shownLink(page);
  expect(second).not.toBe(first);
  expect(await session(second)).toMatchObject({ booking: { reference: 'BK-1002' } });
});

test('the desk’s link is printed: its code, and nothing else of the page', async () => {
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  await page.getByRole('region', { name: 'Desk' }).getByRole('button', { name: 'Make link' }).click();
  const url = await shownLink(page);
  expect(await session(url)).toMatchObject({ link: { kind: 'desk' }, booking: null });
  await page.evaluate(() => Object.assign(window, { print: () => (document.title = 'printed') }));
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => page.title()).toBe('printed');
  await page.emulateMedia({ media: 'print' });
  const [printed = ''] = await page.locator('body').allInnerTexts();
  expect(printed.split('\n').filter((line) => line !== '')).toEqual([
    pool,
    'Scan the code with your phone’s camera to sign.',
    url,
  ]);
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: 'Done' }).click();
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { level: 1, name: pool }).waitFor();
});
