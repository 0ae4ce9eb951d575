import { accountKey, textAt } from '@waiver-service/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeByEscape,
  isFocused,
  openCommandMenu,
  openConsole,
  openTestPage,
  settled,
  signIn,
  tabTo,
} from '../harness/console-page.ts';
import { bookingId, type ConsoleScene, markup, pool, startConsoleScene } from '../harness/console-scene.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterAll(() => scene.close());

test('a browser that opens the host’s address is asked to sign in, shown the error, and let in', async () => {
  const { page } = await openTestPage(scene.browser);
  await page.goto(scene.host.url);
  expect(new URL(page.url()).pathname).toBe('/console/');
  await signIn(page, scene.host.url, 'wrong');
  await page.getByText('A valid token is needed').waitFor();
  await page.getByLabel('Token').fill('admin-token-of-the-tests');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const kept = await page.evaluate(
    () => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
  );
  expect(kept).not.toContain('admin-token');
  expect(kept).not.toContain('wss_');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  await scene.go(page, '/deliveries');
  await page.getByLabel('Token').waitFor();
});

test('a page that stayed open through an upgrade loads the scripts of the new version', async () => {
  const { page } = await openConsole(scene.browser, scene.host);
  await page.clock.install();
  await page.reload();
  let areFormer = true;
  await page.route('**/console/assets/deliveries-page-*', (route) =>
    areFormer ? route.fulfill({ status: 404 }) : route.continue(),
  );
  page.once('domcontentloaded', () => {
    areFormer = false;
  });
  // One that was just opened would show the error: the host's scripts are broken.
  await page.clock.fastForward(10_000);
  await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
});

test('a waiver is followed from its booking to the delivered update', async () => {
  const page = await scene.asAdmin();
  await page.getByRole('link', { name: 'Bookings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bookings' }).waitFor();
  await page.getByLabel('Booking id').fill(bookingId);
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByText('Signed 1 of 3').waitFor();
  await page.getByRole('link', { name: 'Signed', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: markup }).waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: 'standard' })
    .getByRole('link', { name: 'Version 1' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Guest Update' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'HTTP 200' }).waitFor();
});

test('markup of guests and partners is text, wherever it is shown', async () => {
  const page = await scene.asAdmin();
  page.on('dialog', () => expect.unreachable('markup ran'));
  for (const path of [
    `/waivers/${pool}/${scene.waiverId}`,
    `/deliveries/${await scene.deliveryWith('dead')}`,
  ]) {
    await scene.go(page, path);
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  }
});

test('by keyboard only: sign in, find and retry a failed delivery, sign out', async () => {
  const { page } = await openTestPage(scene.browser);
  const id = await scene.deliveryWith('dead');
  await page.goto(`${scene.host.url}/console/`);
  await page.getByLabel('Token').waitFor();
  await tabTo(page, page.getByLabel('Token'));
  await page.keyboard.type('admin-token-of-the-tests');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await openCommandMenu(page);
  await page.keyboard.type('failed');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const failed = page.getByRole('listitem').filter({ hasText: 'Failed' }).first();
  await tabTo(page, failed.getByRole('link', { name: 'Show failed' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('table').locator(`a[href*="${id}"]`).first());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor();
  const retry = page.getByRole('button', { name: 'Retry' });
  await tabTo(page, retry);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It will be sent again when its turn comes').waitFor();
  await closeByEscape(page, dialog);
  // The focus is where it was, so that one key opens the dialog again.
  await expect.poll(() => isFocused(retry)).toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'Retry' }));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('manual').first().waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
  await page.keyboard.press('Enter');
  await page.getByLabel('Token').waitFor();
});

test('a destination is paused and resumed', async () => {
  const page = await scene.asAdmin({}, '/destinations');
  const row = page.getByRole('row').filter({ hasText: 'standard' });
  await row.getByRole('button', { name: 'Pause standard (rafting)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause standard (rafting)' });
  await dialog.getByText('No alert is sent').waitFor();
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('standard (rafting) is paused.').waitFor();
  await row.getByText('Paused').waitFor();
  await row.getByRole('button', { name: 'Resume standard (rafting)' }).click();
  await page.getByText('standard (rafting) is resumed.').waitFor();
  await row.getByText('Working').waitFor();
});

let signed = 0;
/** Stores a waiver that is sent to the webhook; returns the guest's name, which no other has. */
async function signAnother(): Promise<string> {
  signed += 1;
  const name = `Liv ${String.fromCharCode(64 + signed)}.`;
  await scene.host.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name } });
  return name;
}

const rowOf = (page: Page, guest: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: guest, exact: true }) });

/** Counts the requests of lists of deliveries from now on. */
function countReads(page: Page): () => number {
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v1/admin/deliveries')) reads += 1;
  });
  return () => reads;
}

test('an open list shows what is new, reads nothing while hidden, and everything when it is looked at again', async () => {
  const page = await scene.asAdmin({}, '/deliveries');
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  // It reads again by itself while it is visible.
  const before = await signAnother();
  await rowOf(page, before).getByText('Failed').waitFor();
  await show('hidden');
  await settled(page);
  const reads = countReads(page);
  const guest = await signAnother();
  await scene.deliveryWith('dead');
  // Longer than a visible page takes to read again.
  await page.waitForTimeout(11_000);
  expect(reads()).toBe(0);
  await show('visible');
  await rowOf(page, guest).getByText('Failed').waitFor();
});

test('a booking stands beside the answer that it was made of, and how it was read', async () => {
  const page = await scene.asAdmin({}, `/bookings?pool=${pool}&id=${bookingId}`);
  const answer = page.getByRole('region', { name: 'Raw response' });
  scene.system.form = 'legacy';
  await page.getByRole('button', { name: 'Read again' }).click();
  await answer.getByText('"guestId": "G-1"').getByText('used elsewhere').waitFor();
  await page.getByText('Contract (legacy)').waitFor();
  await page.getByText(`/bookings/${bookingId}?pool=${pool}`).waitFor();
  scene.system.form = 'current';
  const hostile = { id: bookingId, status: markup, pax: '1', contact: null, guests: [{ name: markup }] };
  scene.system.faults.always('read', {
    kind: 'status',
    status: 200,
    body: JSON.stringify({
      ...hostile,
      contact: { name: markup },
      bookedSessions: [{ startsAt: '2027-06-12T09:30:00Z' }],
    }),
  });
  await page.getByRole('button', { name: 'Read again' }).click();
  await answer.getByText('"pax": "1"').getByText('changed').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await page.getByText('warnings').first().waitFor();
  scene.system.faults.clear();
});

test('a second booking system waits for approval, and is approved', async () => {
  const { body } = await scene.host.admin('POST', '/v1/admin/booking-systems/standard-query/install-keys');
  await scene.host.admin('PUT', '/v1/admin/booking-systems/standard-query', { baseUrl: scene.system.url });
  const install = await scene.host.as(null)('POST', '/integration/install/standard-query', {
    key: textAt(body, 'key'),
    pool,
    accountId: 12,
    apiKey: accountKey,
  });
  expect(install.status).toBe(200);
  const page = await scene.asAdmin({}, `/pools/${pool}`);
  await page.getByText('Waiting for approval').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Waiting for approval').waitFor({ state: 'detached' });
  const { body: installations } = await scene.host.admin('GET', `/v1/admin/pools/${pool}/installations`);
  expect(installations.items.map(({ status }: { status: string }) => status)).toEqual(['active', 'active']);
});
