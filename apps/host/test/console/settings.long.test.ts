import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { textAt } from '../harness/connected-host.ts';
import { expectToStayOpen, isFocused, keepIntercepting } from '../harness/console-page.ts';
import { type ConsoleScene, pool, startConsoleScene } from '../harness/console-scene.ts';

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await startConsoleScene();
});
afterEach(() => scene.expectNoComplaints());
afterAll(() => scene.close());

test('a form stays open until its answer has come, and closes then', async () => {
  const page = await scene.asAdmin({}, '/pools');
  const answer = Promise.withResolvers<void>();
  await page.route('**/v1/admin/pools/kayaking', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const dialog = page.getByRole('dialog', { name: 'Add pool' });
  await page.getByRole('button', { name: 'Add pool' }).click();
  await dialog.getByLabel('Pool id').fill('kayaking');
  await dialog.getByLabel('Name').fill('Kayaking');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard' }).waitFor();
  await dialog.getByRole('button', { name: 'Add pool' }).click();
  await dialog.getByRole('button', { name: 'Add pool' }).and(page.locator('[aria-busy="true"]')).waitFor();
  await expectToStayOpen(page, dialog);
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  expect(await dialog.getByRole('button', { name: 'Discard' }).count()).toBe(0);
  answer.resolve();
  await page.getByText('Pool added.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('a[href*="/pools/kayaking"]').waitFor();
});

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
