import { beginOutage, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeByEscape,
  expectAccessible,
  expectToStayOpen,
  openCommandMenu,
} from '../harness/console-page.ts';
import { bookingId, type ConsoleScene, markup, pool, startConsoleScene } from '../harness/console-scene.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterAll(() => scene.close());

test('a webhook is added, its secret shown once; a wrong address is an error at its field', async () => {
  const page = await scene.asAdmin({}, `/pools/${pool}`);
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
  await closeByEscape(page, dialog);
  await page.getByRole('button', { name: 'Remove' }).last().click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Removed').waitFor();
  await expectAccessible(page);
});

test('the settings of a booking system are stored, and a secret is not shown again', async () => {
  const page = await scene.asAdmin({}, '/booking-systems/bookeo');
  await page.getByText('Built from documents').waitFor();
  await page.getByLabel('secretKey').fill('the-secret-of-the-application');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').waitFor();
  await page.reload();
  await page.getByText('Already set. Leave empty to keep it.').waitFor();
  expect(await page.getByLabel('secretKey').inputValue()).toBe('');
  const { body } = await scene.host.admin('GET', '/v1/admin/booking-systems/bookeo');
  expect(body).toMatchObject({ configured: true, settingsSet: ['secretKey'] });
});

test('one key finds a page, and a booking by its id', async () => {
  const page = await scene.asAdmin({}, '/deliveries?pool=rafting');
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

test('a person is added, whose token is shown once, and revoked', async () => {
  const page = await scene.asAdmin({}, '/people');
  await page.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Siobhán');
  await dialog.getByLabel('Role').selectOption('Viewer');
  await dialog.getByLabel('Pools').fill('no-such-pool');
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await dialog.getByText('there is no pool').first().waitFor();
  await dialog.getByLabel('Pools').fill(pool);
  const answer = Promise.withResolvers<void>();
  await page.route('**/v1/admin/credentials', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await dialog.locator('button[aria-busy="true"]').waitFor();
  await expectToStayOpen(page, dialog);
  answer.resolve();
  await dialog.getByText(/^wsc_/).waitFor();
  await expectToStayOpen(page, dialog);
  const token = (await dialog.getByText(/^wsc_/).textContent()) ?? '';
  expect((await scene.host.as(token)('GET', '/v1/admin/me')).body).toMatchObject({
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
    async () => (await scene.host.as(token)('GET', '/v1/admin/me')).status === 401,
    'the revoked credential to end',
  );
});

test('an access token is created with scopes, shown once, and revoked', async () => {
  const page = await scene.asAdmin({}, `/pools/${pool}`);
  const tokens = page.getByRole('region', { name: 'Access tokens' });
  await tokens.getByText('Everything').first().waitFor();
  await tokens.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(markup);
  for (const scope of [
    'Store waivers',
    'Read waivers',
    'List waivers',
    'Read bookings',
    'Make links to check in',
  ]) {
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
  const app = scene.host.as(token);
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
  scene.receiver.faults.clear();
  const page = await scene.asAdmin();
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
  await dialog.getByLabel('URL').fill(scene.receiver.url);
  await dialog.getByLabel('Installation to approve').uncheck();
  await dialog.getByLabel('Pools').fill(pool);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const { items } = (await scene.host.admin('GET', '/v1/admin/alerts')).body;
  expect(items).toMatchObject([{ name: markup, pools: [pool], signing: true }]);
  expect(items[0].events).toHaveLength(6);
  await page.getByRole('button', { name: `Test ${markup}` }).click();
  await page.getByText('Test delivered:').waitFor();
  const send = () => scene.host.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name: 'Ada' } });
  scene.receiver.faults.always('webhook', { kind: 'status', status: 503, body: 'down' });
  await beginOutage(scene.host.databaseUrl);
  await send();
  await page.getByText('has only failed since').first().waitFor();
  await scene.go(page, '/');
  await page.getByRole('region', { name: 'Alerts' }).getByText('Destination failing').first().waitFor();
  scene.receiver.faults.clear();
  await send();
  await scene.go(page, '/alerts');
  await page.getByText('works again.').first().waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: `Remove ${markup}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No alerts', { exact: true }).waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(0);
  scene.receiver.faults.always('webhook', { kind: 'status', status: 422, body: markup });
});

test('the audit log says who did what', async () => {
  const page = await scene.asAdmin({}, '/audit?action=pool.put');
  await page.getByRole('row').filter({ hasText: pool }).filter({ hasText: 'admin' }).first().waitFor();
  await page.getByLabel('Target', { exact: true }).fill('no such target');
  await page.getByText('No entries match these filters').waitFor();
  await page.getByLabel('Target', { exact: true }).fill('');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await downloading).suggestedFilename()).toBe('audit-log.csv');
});

test('a day’s bookings are listed where the booking system lists them, and else it is said', async () => {
  const page = await scene.asAdmin({}, `/bookings?pool=${pool}`);
  await page.getByText('This booking system cannot list bookings').waitFor();
  // A page may be empty, and the next one not.
  const booking = { status: 'Active', bookedSessions: [], contact: { name: 'Ann' } };
  const listed = { bookingId: 'BK-9', booking, waivers: { signed: 0, pax: 2 }, error: null };
  await page.route(/\/v1\/pools\/[^/]+\/bookings\?/, (route) => {
    const isFirst = !new URL(route.request().url()).searchParams.has('cursor');
    return route.fulfill({ json: isFirst ? { items: [], next: 'more' } : { items: [listed], next: null } });
  });
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'BK-9' }).waitFor();
  expect(await page.getByText('No bookings on this day').count()).toBe(0);
});

test('invitations are set up: when, in whose name, in which words, with a preview; and what keeps them from being sent', async () => {
  const page = await scene.asAdmin();
  await scene.go(page, `/pools/${pool}`);
  const card = page.getByRole('region', { name: 'E-mail to guests' });
  await card.getByText('Off', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Ask guests to sign').check();
  await dialog.getByLabel('Some days before').uncheck();
  await dialog.getByLabel('The morning of the visit').check();
  await dialog.getByLabel('Sender name').fill('River & Sons');
  await dialog.getByLabel('From', { exact: true }).fill('24');
  await dialog.getByRole('button', { name: 'Save' }).click();
  // The browser's own check of the number.
  expect(
    await dialog
      .getByLabel('From', { exact: true })
      .evaluate((field: HTMLInputElement) => field.validity.valid),
  ).toBe(false);
  await dialog.getByLabel('From', { exact: true }).fill('22');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('the evening before at 18:00, in the morning at 08:00').waitFor();
  await card.getByText('22:00 to 08:00').waitFor();
  await card.getByText('No mail server is set').waitFor();

  await card.getByRole('button', { name: 'Texts' }).click();
  await dialog.getByLabel('Language').selectOption('Arabic');
  expect(await dialog.getByLabel('Text', { exact: true }).getAttribute('dir')).toBe('rtl');
  await dialog.getByLabel('Language').selectOption('German');
  await dialog.getByLabel('Text', { exact: true }).fill('Servus {name}!');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('must have the placeholder {link}').first().waitFor();
  await dialog.getByLabel('Text', { exact: true }).fill('Servus {name}!\n\n{link}\n\n{operator}');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('Servus Zoë Bäcker!').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: 'Texts' }).waitFor({ state: 'detached' });
  const { body } = await scene.host.admin('GET', `/v1/admin/pools/${pool}/invitations`);
  expect(body).toMatchObject({
    enabled: true,
    senderName: 'River & Sons',
    texts: { de: { text: 'Servus {name}!\n\n{link}\n\n{operator}' } },
  });
  expect(Object.keys(body.texts)).toEqual(['de']);

  await card.getByRole('link', { name: 'Messages' }).click();
  await page.getByText('No messages').waitFor();
  await page.getByText('Addresses that receive no more messages').waitFor();
});
