import { textAt } from '@waiver-service/testing';
import { clientId, clientSecret, type Issuer, startIssuer } from '@waiver-service/testing/issuer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { expectAccessible, openConsole, openPage, openTestPage } from '../harness/console-page.ts';
import { freePort } from '../harness/program.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

describe('by a link', () => {
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
    const { page } = await openConsole(browser, host);
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
  });

  test('where no one is signed in, a link asks, too', async () => {
    const { page } = await openTestPage(browser);
    await page.goto(await linkOf('Ida'));
    await page.getByRole('heading', { name: 'Sign in as Ida?' }).waitFor();
    await page.getByRole('button', { name: 'Sign in another way' }).click();
    await page.getByLabel('Token').waitFor();
  });
});

describe('through an issuer', () => {
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
});
