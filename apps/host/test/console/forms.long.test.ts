import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { publishForm } from '../harness/check-in.ts';
import { type ConnectedHost, startConnectedHost, textAt } from '../harness/connected-host.ts';
import { type ConsolePage, closeByEscape, keepIntercepting, openConsole } from '../harness/console-page.ts';

const pool = 'rafting';
const forms = `/v1/admin/pools/${pool}/forms`;

let host: ConnectedHost;
let browser: Browser;
const opened: ConsolePage[] = [];

beforeAll(async () => {
  [host, browser] = await Promise.all([startConnectedHost(), startBrowser()]);
  await host.makePool(pool);
});
afterEach(() => {
  for (const { complaints } of opened.splice(0)) expect(complaints).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await host.close();
});

async function openForms(path: string): Promise<Page> {
  const entered = await openConsole(browser, host);
  opened.push(entered);
  await entered.page.goto(`${host.url}/console${path}`);
  return entered.page;
}

const previewOf = (page: Page) => page.frameLocator('iframe[title="Preview"]');
const itemOf = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, expanded: false }).first();

async function publish(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this form?' });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText(`Version ${version} published.`).waitFor();
}

test('questions are added with conditions on earlier ones only; a preview signs nothing', async () => {
  const { form } = await publishForm(host, pool);
  const page = await openForms(`/forms/${pool}/${form}`);
  const water = page.getByRole('region', { name: 'Page 2', exact: true });
  await water.getByRole('button', { name: 'Add', exact: true }).click();
  await water.getByRole('textbox', { name: 'Question · English' }).fill('Did you bring a friend?');
  await water.getByLabel('Answer', { exact: true }).selectOption('Yes or no');
  await water.getByRole('button', { name: 'Add condition' }).last().click();
  // Questions of later pages and those without a list of answers are not offered.
  const question = water.getByRole('combobox', { name: 'Question' });
  const offered = await question.getByRole('option').allTextContents();
  expect(offered).toContain('How well can you swim?');
  expect(offered).not.toContain('First and last name');
  await question.selectOption('How well can you swim?');
  const preview = previewOf(page);
  await preview.getByLabel('Well, also in moving water').check();
  await preview.getByText('Did you bring a friend?').waitFor();
  await expect
    .poll(async () => JSON.stringify((await host.admin('GET', `${forms}/${form}`)).body.content))
    .toMatch(/"when":\{"answer":"swimming","in":\["well"\]\}/);

  const frame = page.frames().find((one) => one.url().includes('/check-in/preview'));
  await frame?.evaluate(() => {
    location.hash = '#check';
  });
  await preview.getByRole('button', { name: 'Send' }).click();
  await preview.getByText('Nothing was sent or stored.').waitFor();
});

test('after publishing, the dialog can be closed again although the form is still being read', async () => {
  const { form } = await publishForm(host, pool);
  const page = await openForms(`/forms/${pool}/${form}`);
  await itemOf(page, 'First and last name').click();
  await page.getByRole('textbox', { name: 'Question · English' }).fill('Your name');
  await page.getByText('Saved', { exact: true }).waitFor();
  // The first read belongs to the publishing; the second one refreshes what the page shows.
  const refresh = Promise.withResolvers<void>();
  let reads = 0;
  await page.route(
    ({ pathname }) => pathname === `${forms}/${form}`,
    async (route) => {
      reads += 1;
      if (reads > 1) await refresh.promise;
      await route.continue();
    },
  );
  await publish(page, 2);
  await expect.poll(() => reads).toBe(2);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this form?' });
  await closeByEscape(page, dialog);
  refresh.resolve();
});

test('a session that ends while someone types loses nothing, and causes no conflict', async () => {
  const { form } = await publishForm(host, pool);
  const person = { name: 'Olga', role: 'operator' };
  const { body } = await host.admin('POST', '/v1/admin/credentials', person);
  const page = await openForms(`/forms/${pool}/${form}`);
  const english = page.getByRole('textbox', { name: 'Question · English' });
  const signInAgain = async (typed: string) => {
    await page.getByLabel('Token').fill(textAt(body, 'token'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: typed, exact: false }).first().waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { body: stored } = await host.admin('GET', `${forms}/${form}`);
    expect(JSON.stringify(stored.content)).toContain(typed);
  };
  await itemOf(page, 'First and last name').click();
  await page.context().clearCookies();
  await english.fill('Typed in time');
  await signInAgain('Typed in time');

  // It ends after a draft was stored, and before the one that was typed meanwhile.
  const typedMore = Promise.withResolvers<void>();
  const storing = async (route: Route) => {
    await typedMore.promise;
    const response = await route.fetch();
    await page.context().clearCookies();
    await route.fulfill({ response });
  };
  await keepIntercepting(page);
  await page.route('**/draft?*', storing, { times: 1 });
  await itemOf(page, 'Typed in time').click();
  await Promise.all([page.waitForRequest('**/draft?*'), english.fill('Typed before')]);
  await english.fill('Typed after');
  typedMore.resolve();
  await signInAgain('Typed after');
});
