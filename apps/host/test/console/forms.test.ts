import { makeLink, publishForm, type TestCaller } from '@waiver-service/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { closeByEscape, keepIntercepting, openConsole, openTestPage } from '../harness/console-page.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const pool = 'rafting';
const forms = `/v1/admin/pools/${pool}/forms`;

let host: TestHost;
let browser: Browser;
let app: TestCaller;

beforeAll(async () => {
  [host, browser] = await Promise.all([startTestHost(), startBrowser()]);
  app = await host.makePool(pool);
});
afterAll(async () => {
  await browser.close();
  await host.close();
});

const openForms = async (path: string) => (await openConsole(browser, host, {}, path)).page;

const previewOf = (page: Page) => page.frameLocator('iframe[title="Preview"]');
const itemOf = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, expanded: false }).first();

async function publish(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this form?' });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText(`Version ${version} published.`).waitFor();
}

test('a form begins with a template, is edited beside its preview, refused, published and compared', async () => {
  const page = await openForms(`/forms?pool=${pool}`);
  await page.getByText('No forms').waitFor();
  await page.getByRole('button', { name: 'Add form' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('White water');
  expect(await dialog.getByLabel('Template').inputValue()).toBe('rafting');
  await dialog.getByRole('button', { name: 'Add form' }).click();
  await page.getByRole('heading', { level: 1, name: 'White water' }).waitFor();

  // The preview is the page of guests itself, and follows what is typed and which page is edited.
  const preview = previewOf(page);
  await preview.getByRole('heading', { level: 1, name: 'Who are you?' }).waitFor();
  await itemOf(page, 'How well can you swim?').click();
  await preview.getByRole('heading', { level: 1, name: 'You and the water' }).waitFor();
  await itemOf(page, 'First and last name').click();
  await preview.getByRole('heading', { level: 1, name: 'Who are you?' }).waitFor();
  const english = page.getByRole('textbox', { name: 'Question · English' });
  const german = page.getByRole('textbox', { name: 'Question · German' });
  await english.fill('Your full name');
  await preview.getByLabel('Your full name').waitFor();
  expect(await english.evaluate((field) => field === document.activeElement)).toBe(true);

  await german.fill('');
  await page.getByRole('button', { name: 'Publish' }).click();
  const refused = page.getByRole('dialog', { name: 'It cannot be published yet' });
  await refused.getByText('is missing in the language de').waitFor();
  await refused.getByRole('button', { name: 'Page 1 · Your full name' }).click();
  await refused.waitFor({ state: 'detached' });
  expect(await german.getAttribute('aria-invalid')).toBe('true');
  await german.fill('Ihr voller Name');
  await page.getByText('Nothing keeps it from being published.').waitFor();
  await preview.getByLabel('Language').selectOption('Deutsch');
  await preview.getByLabel('Ihr voller Name').waitFor();
  await preview.getByRole('button', { name: 'Weiter' }).waitFor();
  await publish(page, 1);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Nothing was edited since the newest version.').waitFor();
  await closeByEscape(page, page.getByRole('dialog'));

  await english.fill('Your name');
  await page.getByRole('button', { name: 'Move Your name down' }).click();
  await publish(page, 2);
  await page.getByRole('link', { name: 'Versions' }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.locator('del').getByText('Your full name').waitFor();
  await changes.locator('ins').getByText('Your name').waitFor();
  await page.getByRole('row', { name: /Version 2.*admin/ }).waitFor();

  const { page: guest } = await openTestPage(browser);
  await guest.goto(`${host.url}/check-in/${await makeLink(app, pool, { desk: true })}`);
  await guest.getByLabel('Your name').waitFor();
});

test('nothing is lost when it cannot be saved, and nothing of another person is overwritten', async () => {
  const { form, content } = await publishForm(host, pool);
  const page = await openForms(`/forms/${pool}/${form}`);
  const stored = async () => JSON.stringify((await host.admin('GET', `${forms}/${form}`)).body.content);
  await keepIntercepting(page);
  await page.route('**/draft?*', (route) => route.abort());
  await itemOf(page, 'First and last name').click();
  const english = page.getByRole('textbox', { name: 'Question · English' });
  await english.fill('Mine');
  await page.getByText('Your last changes are not saved.').waitFor();
  await page.getByRole('link', { name: 'Versions' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave this page?' });
  await leaving.getByRole('button', { name: 'Keep editing' }).click();
  await page.unroute('**/draft?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await stored()).toContain('"Mine"');

  await host.admin('PUT', `${forms}/${form}/draft`, { ...content, validity: { days: 77 } });
  await english.fill('Mine again');
  await page.getByText('Someone else has changed this form').waitFor();
  expect(await stored()).toContain('77');
  const keepMine = page.getByRole('button', { name: 'Keep mine' });
  const showTheirs = page.getByRole('button', { name: 'Show theirs' });
  const isTheirs = ({ pathname }: URL) => pathname.endsWith(`/forms/${form}`) && pathname.startsWith('/v1/');
  await page.route(isTheirs, (route) => route.abort());
  await keepMine.click();
  await page.getByText('Your last changes are not saved.').waitFor();
  await page.unroute(isTheirs);
  await page.getByRole('button', { name: 'Try again' }).click();
  const released = Promise.withResolvers<void>();
  await page.route(isTheirs, async (route) => {
    await released.promise;
    await route.continue();
  });
  await Promise.all([page.waitForRequest((request) => isTheirs(new URL(request.url()))), keepMine.click()]);
  await showTheirs.waitFor({ state: 'hidden' });
  released.resolve();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await stored()).toContain('"Mine again"');
  await page.unroute(isTheirs);

  await host.admin('PUT', `${forms}/${form}/draft`, { ...content, validity: { days: 99 } });
  await english.fill('Mine once more');
  await showTheirs.click();
  await expect.poll(() => page.getByLabel('Days', { exact: true }).inputValue()).toBe('99');
});

test('the check-in page is in a frame of the console only as a preview, which may call nobody', async () => {
  const policyOf = async (path: string) => {
    const { headers } = await host.call('GET', path, undefined, { token: null });
    return headers.get('content-security-policy');
  };
  expect(await policyOf('/check-in/preview')).toMatch(/connect-src 'none'.*frame-ancestors 'self'/);
  expect(await policyOf('/check-in/wsg_x')).toMatch(/connect-src 'self'.*frame-ancestors 'none'/);
  expect(await policyOf('/console/')).toMatch(/frame-src 'self'.*frame-ancestors 'none'/);
});
