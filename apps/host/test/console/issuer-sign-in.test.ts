import { clientId, clientSecret, type Issuer, startIssuer } from '@waiver-service/testing/issuer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { expectAccessible, openPage } from '../harness/console-page.ts';
import { freePort } from '../harness/spawned-host.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let issuer: Issuer;
let host: TestHost;
let browser: Browser;
let url: string;
// One page for all: of further contexts, the browser that comes with npm sends a page's cookies with its calls only,
// and not where it goes to another page.
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  // The issuer has to know where browsers come back to before the host listens.
  const port = await freePort();
  // Another site than the issuer's, whose address is 127.0.0.1, so that cookies cross sites.
  url = `http://localhost:${port}`;
  [issuer, browser] = await Promise.all([startIssuer([`${url}/console/sign-in/callback`]), startBrowser()]);
  host = await startTestHost({
    PORT: String(port),
    BASE_URL: url,
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ROLES: JSON.stringify({
      claim: 'groups',
      scopes: ['groups'],
      values: { 'waiver-admins': { role: 'owner' } },
    }),
  });
  ({ page, complaints } = await openPage(browser));
  // The issuer's pages would fetch a font.
  await page.route(/fonts/, (route) => route.abort());
});
afterEach(() => expect(complaints).toEqual([]));
afterAll(async () => {
  await browser.close();
  await Promise.all([host.close(), issuer.close()]);
});

async function openSignIn(path: string) {
  await page.goto(`${url}${path}`);
  const button = page.getByRole('button', { name: `Sign in with ${issuer.host}` });
  await button.waitFor();
  return button;
}

/** On the issuer's own pages. */
async function signInAtIssuer(login: string) {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a person signs in at the issuer, comes back to the page that was wanted, acts and signs out', async () => {
  const button = await openSignIn('/console/people?pool=rafting');
  await expectAccessible(page);
  await page.getByLabel('Token').focus();
  await page.keyboard.press('Shift+Tab');
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await signInAtIssuer('mia');

  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  expect(page.url()).toBe(`${url}/console/people?pool=rafting`);
  const sessions = page.getByRole('table', { name: 'Signed in to the console' });
  await sessions.getByText('Mia Example <mia@example.com>').waitFor();
  await expectAccessible(page);
  const cookies = await page.context().cookies(url);
  expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
    { name: 'waiver_service_session', httpOnly: true, sameSite: 'Strict' },
  ]);

  await page.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Noor');
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.goto(`${url}/console/audit?action=credential.create`);
  await page.getByRole('table').getByText('Mia Example <mia@example.com>').waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await button.waitFor();
  await page.reload();
  await button.waitFor();
});
