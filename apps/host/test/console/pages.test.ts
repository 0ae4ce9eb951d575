import { startBookingSystem, startWebhookReceiver } from '@waiver-service/simulator';
import { beginOutage, endOutage } from '@waiver-service/store/testing';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { accountKey, type ConnectedHost, startConnectedHost, textAt } from '../harness/connected-host.ts';
import {
  type ConsolePage,
  expectAccessible,
  openCommandMenu,
  openConsole,
  openPage,
  settled,
  signIn,
} from '../harness/console-page.ts';
import { until } from '../harness/test-host.ts';

const pool = 'rafting';
const bookingId = 'BK-1001';
/** Text in every place that a guest or a partner can fill. */
const markup = '<img src=x onerror=alert(1)>“Zoë”';

let host: ConnectedHost;
let browser: Browser;
let system: Awaited<ReturnType<typeof startBookingSystem>>;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let waiverId: string;
const opened: ConsolePage[] = [];

async function deliveryWith(state: string): Promise<string> {
  return until(async () => {
    const { body } = await host.admin('GET', `/v1/admin/deliveries?pool=${pool}&state=${state}`);
    return body.items[0]?.id as string | undefined;
  }, `a delivery that is ${state}`);
}

beforeAll(async () => {
  [host, browser, system, receiver] = await Promise.all([
    startConnectedHost(),
    startBrowser(),
    startBookingSystem({ apiKey: accountKey, form: 'current', pathShape: 'path', authHeaderName: 'api-key' }),
    startWebhookReceiver(),
  ]);
  const app = await host.makePool(pool);
  await host.connect('standard', system, pool);
  const webhooks = `/v1/admin/pools/${pool}/webhooks`;
  await host.admin('POST', webhooks, { url: receiver.url, auth: { type: 'none' }, properties: ['name'] });
  receiver.faults.always('webhook', { kind: 'status', status: 422, body: markup });
  const created = await app('POST', `/v1/pools/${pool}/waivers`, {
    bookingId,
    bookingGuestId: 'G-1',
    answers: { name: markup, feedback: markup },
  });
  waiverId = textAt(created.body, 'id');
  await deliveryWith('delivered');
  await deliveryWith('dead');
});

afterEach(() => {
  for (const { complaints } of opened.splice(0)) expect(complaints).toEqual([]);
});

afterAll(async () => {
  await browser.close();
  await Promise.all([host.close(), system.close(), receiver.close()]);
});

async function asAdmin(options: Parameters<typeof openConsole>[2] = {}) {
  const page = await openConsole(browser, host, options);
  opened.push(page);
  return page.page;
}

const go = (page: ConsolePage['page'], path: string) => page.goto(`${host.url}/console${path}`);

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Presses Tab until something has the focus. */
async function tabTo(page: ConsolePage['page'], target: Locator): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; pressed < 100; pressed += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('no press of Tab leads there');
}

test('a browser that opens the host’s address is asked to sign in, told what is wrong, and let in', async () => {
  const entered = await openPage(browser);
  opened.push(entered);
  const { page } = entered;
  await page.goto(host.url);
  expect(new URL(page.url()).pathname).toBe('/console/');
  await signIn(page, host.url, 'wrong');
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
  await go(page, '/deliveries');
  await page.getByLabel('Token').waitFor();
});

test('the overview counts what was delivered and what failed, and leads to it', async () => {
  const page = await asAdmin();
  const failed = page.getByRole('listitem').filter({ hasText: 'Failed' }).first();
  await failed.getByText('1', { exact: true }).waitFor();
  await failed.getByRole('link', { name: 'Show failed' }).click();
  await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
  expect(page.url()).toContain('state=dead');
  await page.getByRole('row').filter({ hasText: 'Webhook' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
});

test('a waiver is followed from its booking to the delivered update', async () => {
  const page = await asAdmin();
  await page.getByRole('link', { name: 'Bookings' }).click();
  // The overview, too, names the pool.
  await page.getByRole('heading', { level: 1, name: 'Bookings' }).waitFor();
  await page.getByRole('link', { name: pool }).click();
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
  const page = await asAdmin();
  page.on('dialog', () => expect.unreachable('markup ran'));
  for (const path of [`/waivers/${pool}/${waiverId}`, `/deliveries/${await deliveryWith('dead')}`]) {
    await go(page, path);
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  }
});

test('a dead delivery is retried, after it is said what that means', async () => {
  const page = await asAdmin();
  const id = await deliveryWith('dead');
  await go(page, `/deliveries/${id}`);
  await page.getByText('Failed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It will be sent again when its turn comes').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body: cancelled } = await host.admin('GET', `/v1/admin/deliveries/${id}`);
  expect(cancelled.state).toBe('dead');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  // Of this version, or of the newest: reading the booking may have put the waiver right meanwhile.
  await until(async () => {
    const { body } = await host.admin('GET', `/v1/admin/deliveries?waiverId=${waiverId}&kind=guest-webhook`);
    const deliveries = await Promise.all(
      body.items.map((item: { id: string }) => host.admin('GET', `/v1/admin/deliveries/${item.id}`)),
    );
    return JSON.stringify(deliveries.map((delivery) => delivery.body)).includes('"trigger":"manual"');
  }, 'the webhook to be sent again');
});

test('by the keyboard alone: signed in, what failed is found and sent again, signed out', async () => {
  const entered = await openPage(browser);
  opened.push(entered);
  const { page } = entered;
  const id = await deliveryWith('dead');
  await page.goto(`${host.url}/console/`);
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
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
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

test('everything that failed is opened again, with progress', async () => {
  const { body } = await host.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name: 'Rae' } });
  await until(async () => {
    const dead = `/v1/admin/deliveries?state=dead&waiverId=${textAt(body, 'id')}`;
    return (await host.admin('GET', dead)).body.items.length > 0;
  }, 'the webhook of a waiver without a booking to fail for good');
  const page = await asAdmin();
  await go(page, '/deliveries');
  await page.getByRole('button', { name: 'Retry failed…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click();
  await page.getByText(/^[1-9]\d* of [1-9]\d* queued again$/).waitFor();
  await page.getByText('All of them are queued again.').waitFor();
});

test('a destination is paused and resumed', async () => {
  const page = await asAdmin();
  await go(page, '/destinations');
  const row = page.getByRole('row').filter({ hasText: 'standard' });
  await row.getByRole('button', { name: 'Pause' }).click();
  await row.getByText('Paused').waitFor();
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByText('Working').waitFor();
});

/** Stores a waiver that is sent to the webhook; returns its id. */
async function signAnother(): Promise<string> {
  const { body } = await host.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name: 'Liv' } });
  return textAt(body, 'id');
}

const rowOf = (page: ConsolePage['page'], waiver: string) =>
  page.getByRole('row').filter({ has: page.locator(`a[href*="${waiver}"]`) });

test('what is sent is seen in an open list within a second, without reading the list again', async () => {
  const page = await asAdmin();
  await go(page, '/deliveries');
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await settled(page);
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v1/admin/deliveries')) reads += 1;
  });
  const seenAfterMs: number[] = [];
  // The machine may stand still for a moment.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const waiver = await signAnother();
    const stored = performance.now();
    await rowOf(page, waiver).waitFor();
    seenAfterMs.push(performance.now() - stored);
    await rowOf(page, waiver).getByText('Failed').waitFor();
  }
  expect(Math.min(...seenAfterMs)).toBeLessThan(1_000);
  // When the stream opens, the list is read once more.
  expect(reads).toBeLessThanOrEqual(1);
});

test('while there is no stream, the list is read every few seconds, and the page says so', async () => {
  const page = await asAdmin();
  await page.route('**/v1/admin/events', (route) => route.abort());
  await go(page, '/deliveries');
  await page.getByRole('status').filter({ hasText: 'Reconnecting' }).waitFor();
  await rowOf(page, await signAnother()).waitFor();
  await page.unroute('**/v1/admin/events');
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
});

test('more windows than a browser opens connections for all work', async () => {
  const first = await asAdmin();
  for (let window = 0; window < 6; window += 1) {
    const page = await first.context().newPage();
    opened.push({ page, complaints: [] });
    await page.goto(`${host.url}/console/deliveries`);
    await page.getByRole('row').nth(1).waitFor();
  }
});

test('deliveries are found by their error, and one shows its lane', async () => {
  const page = await asAdmin();
  await go(page, '/deliveries');
  await page.getByLabel('Error').selectOption('Timed out');
  await page.getByText('No deliveries').waitFor();
  await page.getByLabel('Error').selectOption('Error status');
  await page.getByLabel('HTTP status').fill('422');
  await page.waitForURL(/status=422/);
  await settled(page);
  await rowOf(page, waiverId).getByRole('link').first().click();
  await page.getByRole('region', { name: 'Lane' }).getByText('Nothing else is waiting in it.').waitFor();
});

test('how a destination fared is shown, and it is tried out', async () => {
  const page = await asAdmin();
  await go(page, '/destinations');
  await page.getByTitle('Show the health of standard', { exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Period').selectOption('Last 7 days');
  await dialog.getByText(/delivered and .* failed in this period/).waitFor({ state: 'attached' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row').filter({ hasText: receiver.url }).getByRole('button', { name: 'Test' }).click();
  await page.getByText('Did not accept a sample guest record').waitFor();
});

test('an installation is tested, and its booking shown', async () => {
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  await page.getByRole('region', { name: 'Booking systems' }).getByRole('button', { name: 'Test' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Booking id').fill(bookingId);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText(/It works: read in/).waitFor();
  const steps = dialog.getByRole('listitem');
  await steps.filter({ hasText: 'Connection' }).getByText('took the connection').waitFor();
  await dialog.locator('summary').press('Enter');
  await dialog.getByText('api-key: «redacted»').waitFor();
  await dialog.getByText('"BK-1001"').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Booking id').fill('none');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('Look the booking up in the booking system’s own back office').waitFor();
  await steps.filter({ hasText: 'Normalize' }).getByText('Not reached', { exact: true }).waitFor();
});

test('an installation is checked against the contract, after it is said what is sent', async () => {
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  const systems = page.getByRole('region', { name: 'Booking systems' });
  await systems.getByRole('button', { name: 'Check', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It asks for the booking without a key').waitFor();
  await dialog.getByText('In the end it voids both waivers').waitFor();
  await dialog.getByLabel('Booking id').fill(bookingId);
  const written = () => system.received.filter(({ body }) => body.includes('waiver-service-check')).length;
  await dialog.getByRole('button', { name: 'Start the check' }).press('Enter');
  await dialog.getByText('It follows the contract').waitFor();
  await dialog.getByText('you chose not to write').waitFor();
  expect(written()).toBe(0);
  await dialog.getByLabel('Guest Updates').selectOption('Write sample waivers and void them');
  await dialog.getByRole('button', { name: 'Start the check' }).click();
  await dialog.getByText('a voided waiver (deleted: true) is taken').waitFor();
  await dialog.getByText('It follows the contract').waitFor();
  expect(written()).toBeGreaterThan(0);
  await expectAccessible(page);
});

test('a booking stands beside the answer that it was made of, and how it was read', async () => {
  const page = await asAdmin();
  await go(page, `/bookings?pool=${pool}&id=${bookingId}`);
  const answer = page.getByRole('region', { name: 'Raw response' });
  system.form = 'legacy';
  await page.getByRole('button', { name: 'Read again' }).click();
  await answer.getByText('"guestId": "G-1"').getByText('used elsewhere').waitFor();
  await page.getByText('Contract (legacy)').waitFor();
  await page.getByText(`/bookings/${bookingId}?pool=${pool}`).waitFor();
  system.form = 'current';
  const hostile = { id: bookingId, status: markup, pax: '1', contact: null, guests: [{ name: markup }] };
  system.faults.always('read', {
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
  system.faults.clear();
});

test('a second booking system waits for approval, and is approved', async () => {
  const { body } = await host.admin('POST', '/v1/admin/booking-systems/standard-query/install-keys');
  await host.admin('PUT', '/v1/admin/booking-systems/standard-query', { baseUrl: system.url });
  const install = await host.as(null)('POST', '/integration/install/standard-query', {
    key: textAt(body, 'key'),
    pool,
    accountId: 12,
    apiKey: accountKey,
  });
  expect(install.status).toBe(200);
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  await page.getByText('Waiting for approval').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Waiting for approval').waitFor({ state: 'detached' });
  const { body: installations } = await host.admin('GET', `/v1/admin/pools/${pool}/installations`);
  expect(installations.items.map(({ status }: { status: string }) => status)).toEqual(['active', 'active']);
});

test('a waiver whose guest is gone is attached to one of the guests that are there', async () => {
  const session = {
    startsAt: '2027-05-01T09:00:00Z',
    endsAt: '2027-05-01T11:00:00Z',
    activityId: 'raft',
    activityName: 'Rafting',
  };
  const guests = ['N-1', 'N-2'].map((id) => ({ id, name: `Zoë ${id}` }));
  system.bookings.add({
    id: 'BK-changed',
    status: 'Active',
    contact: { name: 'Zoë' },
    pax: 2,
    guests,
    bookedSessions: [session],
  });
  const answers = { name: 'Zoë <b>Q</b>' };
  const signed = {
    id: 'lost',
    bookingSystem: 'standard',
    bookingId: 'BK-changed',
    bookingGuestId: 'G-1',
    answers,
  };
  await host.admin('POST', `/v1/pools/${pool}/waivers`, signed);
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  expect(await page.getByRole('region', { name: 'Waivers to attach' }).count()).toBe(0);
  await host.admin('GET', `/v1/pools/${pool}/bookings/BK-changed?bookingSystem=standard`);
  const card = page.getByRole('region', { name: 'Waivers to attach' });
  await card.getByText('Zoë <b>Q</b>').waitFor();
  await card.getByRole('button', { name: 'Attach to Zoë N-2' }).click();
  await page.getByText('Waiver attached').waitFor();
  await card.waitFor({ state: 'detached' });
  const { body } = await host.admin('GET', `/v1/pools/${pool}/waivers/lost`);
  expect(textAt(body, 'bookingGuestId')).toBe('N-2');
});

test('a form that was cancelled and opened again stays open when the former answer comes', async () => {
  const page = await asAdmin();
  await go(page, '/pools');
  const answer = Promise.withResolvers<void>();
  await page.route('**/v1/admin/pools/kayaking', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const add = page.getByRole('button', { name: 'Add pool' });
  const dialog = page.getByRole('dialog');
  await add.click();
  await dialog.getByLabel('Pool id').fill('kayaking');
  await dialog.getByLabel('Name').fill('Kayaking');
  await dialog.getByRole('button', { name: 'Add pool' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await add.click();
  await dialog.getByLabel('Pool id').fill('canyoning');
  answer.resolve();
  await page.getByText('Pool added.').first().waitFor();
  await page.locator('a[href*="/pools/kayaking"]').waitFor();
  await settled(page);
  expect(await dialog.getByLabel('Pool id').inputValue()).toBe('canyoning');
});

test('a webhook is added, its secret shown once; a wrong address is told at its field', async () => {
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('http://198.51.100.7/hook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('URL').fill('https://receiver.example/hook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('https://receiver.example/hook').waitFor();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByText('For 24 hours, messages carry the signatures of both').waitFor();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  expect(await page.getByText(/^whsec_/).textContent()).not.toBe(secret);
  await page.getByRole('button', { name: 'Copy Signing secret' }).waitFor();
  await page.reload();
  await page.getByText('https://receiver.example/hook').waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(0);
  await page.getByRole('button', { name: 'Verify' }).click();
  await dialog.getByLabel('Language').selectOption('Python');
  await dialog.getByText('def is_authentic').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove' }).last().click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Removed').waitFor();
  await expectAccessible(page);
});

test('a webhook is changed by keyboard; for another origin, credentials are asked for again', async () => {
  await host.makePool('sailing');
  const webhooks = '/v1/admin/pools/sailing/webhooks';
  const auth = { type: 'header', name: 'X-Own', value: 'of-the-former-origin' };
  const added = await host.admin('POST', webhooks, { url: receiver.url, auth, properties: ['name'] });
  const webhook = `${webhooks}/${textAt(added.body, 'id')}`;
  const page = await asAdmin();
  await go(page, '/pools/sailing');
  const edit = page.getByRole('button', { name: 'Edit' });
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await tabTo(page, edit);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Credentials').selectOption('Keep (Header X-Own)');
  expect(await save.isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByLabel('Answers to send').fill('name, email');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('name, email').waitFor();
  await expect.poll(() => isFocused(edit)).toBe(true);
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('Did not accept a sample guest record').waitFor();
  expect(receiver.received.some(({ headers }) => headers['x-own'] === auth.value)).toBe(true);

  await edit.press('Enter');
  await dialog.getByLabel('URL').fill('https://elsewhere.example/hook');
  await dialog.getByText('Enter the credentials again').waitFor();
  await dialog.getByLabel('Sign messages').selectOption('Yes');
  await save.click();
  // The browser asks for the value that is missing, and nothing is sent.
  await expect.poll(() => isFocused(dialog.getByLabel('Header value'))).toBe(true);
  await expectAccessible(page);
  await dialog.getByLabel('Header value').fill('of-the-new-origin');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('https://elsewhere.example/hook').waitFor();
  expect((await host.admin('GET', webhook)).body).toMatchObject({
    url: 'https://elsewhere.example/hook',
    auth: { type: 'header', name: 'X-Own' },
    properties: ['name', 'email'],
    signing: true,
  });
});

test('a test of the former webhook and a secret that is deleted are not shown after a change', async () => {
  await host.makePool('rowing');
  const webhooks = '/v1/admin/pools/rowing/webhooks';
  await host.admin('POST', webhooks, { url: receiver.url, auth: { type: 'none' }, signing: true });
  const page = await asAdmin();
  await go(page, '/pools/rowing');
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
  const tested = page.getByText('Did not accept a sample guest record');
  await page.getByRole('button', { name: 'Test' }).click();
  await tested.waitFor();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText(/^whsec_/).waitFor();

  const edit = page.getByRole('button', { name: 'Edit' });
  await edit.click();
  await dialog.getByLabel('URL').fill('https://elsewhere.example/hook');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('https://elsewhere.example/hook').waitFor();
  expect(await tested.count()).toBe(0);
  expect(await page.getByText(/^whsec_/).count()).toBe(1);

  await edit.click();
  await dialog.getByLabel('Sign messages').selectOption('No');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByText(/^whsec_/).count()).toBe(0);
});

test('a webhook to which others gave credentials meanwhile is not moved without them', async () => {
  await host.makePool('surfing');
  const webhooks = '/v1/admin/pools/surfing/webhooks';
  const added = await host.admin('POST', webhooks, { url: receiver.url, auth: { type: 'none' } });
  const webhook = `${webhooks}/${textAt(added.body, 'id')}`;
  const page = await asAdmin();
  await go(page, '/pools/surfing');
  const edit = page.getByRole('button', { name: 'Edit' });
  await edit.click();
  const auth = { type: 'basic', username: 'kai', password: 'of-the-former-origin' };
  await host.admin('PATCH', webhook, { auth });
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
  await dialog.getByLabel('URL').fill('https://elsewhere.example/hook');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').getByText('give the credentials again').first().waitFor();
  const { body } = await host.admin('GET', webhook);
  expect(body).toMatchObject({ url: receiver.url, auth: { type: 'basic' } });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Basic', { exact: true }).waitFor();
  await edit.click();
  await dialog.getByLabel('Credentials').selectOption('Keep (Basic)');
});

test('the link by which a person agrees at the booking system is made on the page', async () => {
  const page = await asAdmin();
  // No plugin here is authorized in a browser, so the page is told that this one is.
  await page.route('**/v1/admin/booking-systems', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const authorized = body.replaceAll('"authorizedInBrowser":false', '"authorizedInBrowser":true');
    await route.fulfill({ response, body: authorized });
  });
  await page.route('**/authorize', (route) =>
    route.fulfill({
      status: 201,
      json: { url: 'https://booking.example/agree?state=1', expiresAt: '2190-01-01T00:00:00Z' },
    }),
  );
  await go(page, `/pools/${pool}`);
  const systems = page.getByRole('region', { name: 'Booking systems' });
  await systems.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('link', { name: 'Open' }).waitFor();
  await expectAccessible(page);
});

test('the settings of a booking system are stored, and a secret is not shown again', async () => {
  const page = await asAdmin();
  await go(page, '/booking-systems/bookeo');
  await page.getByLabel('secretKey').fill('the-secret-of-the-application');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').waitFor();
  await page.reload();
  await page.getByText('Already set. Leave empty to keep it.').waitFor();
  expect(await page.getByLabel('secretKey').inputValue()).toBe('');
  const { body } = await host.admin('GET', '/v1/admin/booking-systems/bookeo');
  expect(body).toMatchObject({ configured: true, settingsSet: ['secretKey'] });
});

test('a button keeps the focus while its work goes on, and takes one press', async () => {
  const page = await asAdmin();
  await go(page, '/destinations');
  let tests = 0;
  const held = Promise.withResolvers<void>();
  await page.route('**/webhooks/*/test', async (route) => {
    tests += 1;
    await held.promise;
    await route.continue();
  });
  const button = page
    .getByRole('row')
    .filter({ hasText: receiver.url })
    .getByRole('button', { name: 'Test' })
    .first();
  await button.focus();
  await page.keyboard.press('Enter');
  await page.locator('button[aria-busy="true"]').waitFor();
  await page.keyboard.press('Enter');
  expect(await isFocused(button)).toBe(true);
  held.resolve();
  await page.locator('button[aria-busy="true"]').waitFor({ state: 'detached' });
  expect(await isFocused(button)).toBe(true);
  expect(tests).toBe(1);
});

test('one key finds a page, and a booking by its id', async () => {
  const page = await asAdmin();
  await go(page, '/deliveries?pool=rafting');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await openCommandMenu(page);
  await page.keyboard.type('destin');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Destinations' }).waitFor();
  await openCommandMenu(page);
  await page.keyboard.type(bookingId);
  await page.keyboard.press('Enter');
  await page.getByText(/Signed \d of 3/).waitFor();
});

test('a voided waiver is told everywhere, after a warning', async () => {
  const app = await host.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name: 'Vera' } });
  const page = await asAdmin();
  await go(page, `/waivers/${pool}/${textAt(app.body, 'id')}`);
  await page.getByRole('button', { name: 'Void' }).click();
  await page.getByRole('dialog').getByText('Voiding is final').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Void' }).click();
  await page.getByText('Voided', { exact: true }).first().waitFor();
});

test('a person is added, whose token is shown once, and revoked', async () => {
  const page = await asAdmin();
  await go(page, '/people');
  await page.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Siobhán');
  await dialog.getByLabel('Role').selectOption('Viewer');
  await dialog.getByLabel('Pools').fill('no-such-pool');
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await dialog.getByText('there is no pool').first().waitFor();
  await dialog.getByLabel('Pools').fill(pool);
  await dialog.getByRole('button', { name: 'Add person' }).click();
  const token = (await dialog.getByText(/^wsc_/).textContent()) ?? '';
  expect((await host.as(token)('GET', '/v1/admin/me')).body).toMatchObject({
    name: 'Siobhán',
    role: 'viewer',
  });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Siobhán' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  // The button is also gone while the dialog is open, which hides the page from it.
  await page.getByText('Revoked.').first().waitFor();
  await page.getByRole('button', { name: 'Revoke Siobhán' }).waitFor({ state: 'detached' });
  // Behind the dialog, the button is out of reach before the credential has ended.
  await until(
    async () => (await host.as(token)('GET', '/v1/admin/me')).status === 401,
    'the revoked credential to end',
  );
});

test('an access token is made for what it is to do, shown once, and revoked', async () => {
  const page = await asAdmin();
  await go(page, `/pools/${pool}`);
  const tokens = page.getByRole('region', { name: 'Access tokens' });
  await tokens.getByText('Everything').first().waitFor();
  await tokens.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(markup);
  for (const scope of ['Store waivers', 'Read waivers', 'List waivers', 'Read bookings']) {
    await dialog.getByLabel(scope).uncheck();
  }
  expect(await dialog.getByRole('button', { name: 'Create token' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Read bookings').check();
  await dialog.getByLabel('Last day').fill('2001-01-01');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Last day').fill('2190-01-01');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = (await dialog.getByText(/^wst_/).textContent()) ?? '';
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const app = host.as(token);
  expect((await app('GET', `/v1/pools/${pool}/bookings/${bookingId}`)).status).toBe(200);
  expect((await app('GET', `/v1/pools/${pool}/waivers`)).body).toMatchObject({ code: 'scope_missing' });
  const item = tokens.getByRole('listitem').filter({ hasText: markup });
  await item.getByText('Read bookings').waitFor();
  await item.getByText('1 Jan 2190').or(item.getByText('2 Jan 2190')).waitFor();
  expect(await page.getByText(token).count()).toBe(0);
  await item.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  // The item is out of reach while the dialog is open: that it is gone says nothing.
  await page.getByText('Revoked.').first().waitFor();
  await item.waitFor({ state: 'detached' });
  expect((await app('GET', `/v1/pools/${pool}/bookings/${bookingId}`)).status).toBe(401);
});

test('an alert is added for some events and pools, its secret shown once, tested and removed', async () => {
  receiver.faults.clear();
  const page = await asAdmin();
  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByText('No alerts', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add alert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(markup);
  await dialog.getByLabel('Channel').selectOption('Email');
  await dialog.getByLabel('Email address').fill('ops@example.com');
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.getByText('SMTP_URL').first().waitFor();
  await dialog.getByLabel('Channel').selectOption('Webhook');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Installation to approve').uncheck();
  await dialog.getByLabel('Pools').fill(pool);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const { items } = (await host.admin('GET', '/v1/admin/alerts')).body;
  expect(items).toMatchObject([{ name: markup, pools: [pool], signing: true }]);
  expect(items[0].events).toHaveLength(6);
  await page.getByRole('button', { name: `Test ${markup}` }).click();
  await page.getByText('Test delivered:').waitFor();
  await beginOutage(host.databaseUrl);
  await page.getByText('has only failed since').first().waitFor();
  await go(page, '/');
  await page.getByRole('region', { name: 'Alerts' }).getByText('Destination failing').first().waitFor();
  await endOutage(host.databaseUrl);
  await go(page, '/alerts');
  await page.getByText('works again.').first().waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: `Remove ${markup}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No alerts', { exact: true }).waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(0);
  receiver.faults.always('webhook', { kind: 'status', status: 422, body: markup });
});

test('the audit log says who did what', async () => {
  const page = await asAdmin();
  await go(page, '/audit?action=pool.put');
  await page.getByRole('row').filter({ hasText: pool }).filter({ hasText: 'admin' }).first().waitFor();
  await page.getByLabel('Target', { exact: true }).fill('no such target');
  await page.getByText('No entries match these filters').waitFor();
  await page.getByLabel('Target', { exact: true }).fill('');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await downloading).suggestedFilename()).toBe('audit-log.csv');
});

test('a day’s bookings are listed where the booking system lists them, and else it is said', async () => {
  const page = await asAdmin();
  await go(page, `/bookings?pool=${pool}`);
  await page.getByText('This booking system cannot list bookings').waitFor();
});

describe('roles', () => {
  test('a viewer sees neither guests nor what may not be done, and a revoked one is shown out', async () => {
    const { body } = await host.admin('POST', '/v1/admin/credentials', { name: 'Vi', role: 'viewer' });
    const entered = await openPage(browser);
    opened.push(entered);
    const { page } = entered;
    await signIn(page, host.url, textAt(body, 'token'));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    await go(page, `/pools/${pool}`);
    await page.getByRole('region', { name: 'Webhooks' }).getByText(receiver.url).waitFor();
    expect(await page.getByRole('button', { name: /^(Edit|Rotate)/ }).count()).toBe(0);
    await go(page, `/waivers/${pool}/${waiverId}`);
    await page.getByText('Your role does not show guests’ data.').waitFor();
    expect(await page.getByText('Zoë').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Void' }).count()).toBe(0);
    await host.admin('DELETE', `/v1/admin/credentials/${textAt(body, 'id')}`);
    await page.getByLabel('Token').waitFor();
    expect(await page.getByText(waiverId).count()).toBe(0);
  });

  test('an operator of another pool sees nothing of this one', async () => {
    await host.makePool('other');
    const { body } = await host.admin('POST', '/v1/admin/credentials', {
      name: 'Olga',
      role: 'operator',
      pools: ['other'],
    });
    const entered = await openPage(browser);
    opened.push(entered);
    const { page } = entered;
    await signIn(page, host.url, textAt(body, 'token'));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('option').allTextContents()).not.toContain(pool);
    await go(page, `/waivers/${pool}/${waiverId}`);
    await page.getByText('This is of a pool that the token has no access to.').waitFor();
  });
});

const pages = [
  '/',
  `/bookings?pool=${pool}&id=${bookingId}`,
  `/waivers?pool=${pool}`,
  '/deliveries',
  '/destinations',
  '/pools',
  `/pools/${pool}`,
  '/booking-systems',
  '/booking-systems/bookeo',
  '/alerts',
  '/people',
  '/start',
  '/audit',
];

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('no page keeps out those who use a keyboard or a screen reader, nor is it wider than a phone', async () => {
    await host.admin('PUT', '/v1/admin/pools/long', { name: 'A pool with a name longer than a phone' });
    const page = await asAdmin({ colorScheme, viewport: { width: 360, height: 740 } });
    for (const path of pages) {
      await go(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await expectAccessible(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
    }
  });
});
