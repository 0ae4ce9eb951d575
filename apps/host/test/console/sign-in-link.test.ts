import { textAt } from '@waiver-service/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { expectAccessible, openConsole, openPage } from '../harness/console-page.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
let browser: Browser;
beforeAll(async () => {
  [host, browser] = await Promise.all([startTestHost({ ROLE: 'api' }), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await host?.close();
});

async function linkOf(name: string): Promise<string> {
  const created = await host.admin('POST', '/v1/admin/credentials', { name, role: 'operator' });
  const link = await host.as(textAt(created.body, 'token'))('POST', '/v1/admin/sign-in-links');
  return textAt(link.body, 'url');
}

test('a link that is opened where someone is signed in changes nothing until they agree', async () => {
  const { page, complaints } = await openConsole(browser, host);
  const link = await linkOf('Mallory');
  // From another page: a change of the part behind # only would not load the console again.
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('heading', { name: 'Sign in as Mallory?' }).waitFor();
  await page.getByText('You are signed in as admin. That session ends.').waitFor();
  expect(page.url()).not.toContain('code');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stay signed in as admin' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  // It was not used up by this.
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in as Mallory' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expect.poll(() => page.getByText('Mallory').count()).toBeGreaterThan(0);

  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText('This link was used before, or is too old').waitFor();
  await page.getByRole('button', { name: 'Stay signed in as Mallory' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(complaints).toEqual([]);
});

test('where no one is signed in, a link asks, too', async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(await linkOf('Ida'));
  await page.getByRole('heading', { name: 'Sign in as Ida?' }).waitFor();
  await page.getByRole('button', { name: 'Sign in another way' }).click();
  await page.getByLabel('Token').waitFor();
  expect(complaints).toEqual([]);
});
