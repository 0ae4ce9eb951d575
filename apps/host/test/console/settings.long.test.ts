import { textAt } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAccessible,
  expectToStayOpen,
  isFocused,
  keepIntercepting,
  openCommandMenu,
  tabTo,
} from '../harness/console-page.ts';
import { type ConsoleScene, pool, startConsoleScene } from '../harness/console-scene.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterAll(() => scene.close());

test('a confirmed action that fails says so, whatever is pressed before', async () => {
  const app = await scene.host.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name: 'Sten' } });
  const page = await scene.asAdmin({}, `/waivers/${pool}/${textAt(app.body, 'id')}`);
  const answer = Promise.withResolvers<void>();
  await page.route('**/void', async (route) => {
    await answer.promise;
    await route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Not now.' } });
  });
  await page.getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await dialog.locator('button[aria-busy="true"]').waitFor();
  await expectToStayOpen(page, dialog);
  answer.resolve();
  await dialog.getByRole('alert').getByText('Not now.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a webhook is changed by keyboard; for another URL, credentials are asked for again', async () => {
  await scene.host.makePool('sailing');
  const webhooks = '/v1/admin/pools/sailing/webhooks';
  const auth = { type: 'header', name: 'X-Own', value: 'of-the-former-origin' };
  const added = await scene.host.admin('POST', webhooks, {
    url: scene.receiver.url,
    auth,
    properties: ['name'],
  });
  const webhook = `${webhooks}/${textAt(added.body, 'id')}`;
  const page = await scene.asAdmin({}, '/pools/sailing');
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
  expect(scene.receiver.received.some(({ headers }) => headers['x-own'] === auth.value)).toBe(true);

  await edit.press('Enter');
  await dialog.getByLabel('URL').fill(`${scene.receiver.url}/another`);
  await dialog.getByRole('alert').getByText('Enter them again').waitFor();
  await dialog.getByLabel('URL').fill('https://elsewhere.example/hook');
  await dialog.getByRole('alert').getByText('Enter them again').waitFor();
  // Neither Escape nor a press outside loses what was entered.
  await page.keyboard.press('Escape');
  await dialog.getByRole('alert').getByText('What you entered is not saved.').waitFor();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await page.mouse.click(5, 5);
  await dialog.getByText('What you entered is not saved.').waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog.getByLabel('URL').inputValue()).toBe('https://elsewhere.example/hook');
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
  expect((await scene.host.admin('GET', webhook)).body).toMatchObject({
    url: 'https://elsewhere.example/hook',
    auth: { type: 'header', name: 'X-Own' },
    properties: ['name', 'email'],
    signing: true,
  });
});

test('a test of the former webhook and a secret that is deleted are not shown after a change', async () => {
  await scene.host.makePool('rowing');
  const webhooks = '/v1/admin/pools/rowing/webhooks';
  await scene.host.admin('POST', webhooks, {
    url: scene.receiver.url,
    auth: { type: 'none' },
    signing: true,
  });
  const page = await scene.asAdmin({}, '/pools/rowing');
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

test('the link by which a person agrees at the booking system is made on the page', async () => {
  const page = await scene.asAdmin();
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
  await scene.go(page, `/pools/${pool}`);
  const systems = page.getByRole('region', { name: 'Booking systems' });
  await systems.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('link', { name: 'Open' }).waitFor();
  await expectAccessible(page);
});

test('the credentials go to another server only when its address is typed again', async () => {
  const page = await scene.asAdmin();
  const path = '/v1/admin/booking-systems/standard';
  const { baseUrl } = (await scene.host.admin('GET', path)).body;
  await scene.go(page, '/booking-systems/standard');
  await page.getByLabel('Base address').fill('http://127.0.0.1:9/api');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('would be sent to http://127.0.0.1:9').waitFor();
  await page.getByLabel('Send the credentials to').fill('http://127.0.0.1:9');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').waitFor();
  expect((await scene.host.admin('GET', path)).body.baseUrl).toBe('http://127.0.0.1:9/api');
  const back = { baseUrl, sendCredentialsTo: new URL(baseUrl).origin };
  expect((await scene.host.admin('PUT', path, back)).status).toBe(200);
});

test('what was typed for one booking system is not kept for another', async () => {
  const page = await scene.asAdmin({}, '/booking-systems/standard');
  const address = page.getByLabel('Base address');
  await address.waitFor();
  const stored = await address.inputValue();
  await openCommandMenu(page);
  await page.keyboard.type('bookeo');
  await page.getByRole('option').filter({ hasText: 'Booking system' }).first().click();
  await page.getByLabel('secretKey').waitFor();
  await address.fill('http://127.0.0.1:9/of-bookeo');
  await page.goBack();
  await page.getByLabel('secretKey').waitFor({ state: 'detached' });
  await expect.poll(() => address.inputValue()).toBe(stored);
});

test('a dialog stays open while the pool cannot be read again, which is tried again at a press', async () => {
  const page = await scene.asAdmin({}, `/pools/${pool}`);
  await keepIntercepting(page);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('URL').fill('https://receiver.example/typed');
  const pools = '**/v1/admin/pools?*';
  await page.route(pools, (route) =>
    route.fulfill({ status: 429, json: { code: 'too_many_requests', message: 'Too many requests.' } }),
  );
  const refused = page.getByText('Too many requests.');
  // As when the tab is looked at again; what was read just before is not read again.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      return refused.count();
    })
    .toBe(1);
  expect(await dialog.getByLabel('URL').inputValue()).toBe('https://receiver.example/typed');
  await page.unroute(pools);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await refused.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Webhooks' }).waitFor();
});

test('a button keeps the focus while its work goes on, and takes one press', async () => {
  const page = await scene.asAdmin({}, '/destinations');
  let tests = 0;
  const held = Promise.withResolvers<void>();
  await page.route('**/webhooks/*/test', async (route) => {
    tests += 1;
    await held.promise;
    await route.continue();
  });
  const button = page
    .getByRole('row')
    .filter({ hasText: scene.receiver.url })
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
