import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { TestHost } from './test-host.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** A browser page in the console, and its errors. */
export interface ConsolePage {
  readonly page: Page;
  /** Errors of scripts, what the Content-Security-Policy refused, and requests that no page should make. */
  readonly complaints: string[];
}

// The browser draws fields of dates in its own locale: the same one on every machine.
const usual: BrowserContextOptions = { locale: 'en-GB', viewport: { width: 1280, height: 800 } };

/** Opens a page in a new browser context. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<ConsolePage> {
  const context = await browser.newContext({ ...usual, ...options });
  context.setDefaultTimeout(120_000);
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      console.error(`Content-Security-Policy refused ${effectiveDirective} ${blockedURI}`);
    });
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    // A refused call is shown on the page; the browser also writes it down.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  return { page, complaints };
}

/**
 * Keeps interception on while routes come and go: Playwright turns it off with the last route, and a request that the
 * page makes at that moment is sometimes never answered.
 */
export const keepIntercepting = (page: Page) => page.route('**/no-such-page', (route) => route.continue());

/** Writes down what a person would have seen, so that a failure on another machine can be explained. */
async function report({ page, complaints }: ConsolePage): Promise<void> {
  const seen = await page.locator('body').ariaSnapshot({ timeout: 1_000 }).catch(String);
  const complained = complaints.join('\n') || 'none';
  console.error(`The page at the end, ${page.url()}:\n${seen}\nComplaints: ${complained}`);
}

/** Opens a page for the test that runs, which fails if the page has complaints; closes its context at the end. */
export async function openTestPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const opened = await openPage(browser, options);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await report(opened);
    await opened.page.context().close();
    expect(opened.complaints).toEqual([]);
  });
  return opened;
}

/** Agrees to be signed in by the link that was opened. */
const useLink = (page: Page) => page.getByRole('button', { name: 'Sign in as' }).click();

// One sign-in for all pages of a host: most tests are about something else.
const sessions = new WeakMap<object, BrowserContextOptions['storageState']>();

/** Opens a page of the console signed in, for the test that runs, which fails if the page has complaints. */
export async function openConsole(
  browser: Browser,
  host: Pick<TestHost, 'call' | 'url'>,
  options: BrowserContextOptions = {},
  path = '/',
): Promise<ConsolePage> {
  const storageState = sessions.get(host);
  const opened = await openTestPage(
    browser,
    storageState === undefined ? options : { ...options, storageState },
  );
  const overview = opened.page.getByRole('heading', { level: 1, name: 'Overview' });
  if (storageState === undefined) {
    const { body } = await host.call('POST', '/v1/admin/sign-in-links', {});
    await opened.page.goto(String(body.url));
    await useLink(opened.page);
    await overview.waitFor();
    sessions.set(host, await opened.page.context().storageState());
  }
  if (storageState !== undefined || path !== '/') await opened.page.goto(`${host.url}/console${path}`);
  if (path === '/') await overview.waitFor();
  return opened;
}

/** Signs in as people do, by a token. */
export async function signIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(`${url}/console/`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until nothing on the page is being read any more. Its stream of changes stays open. */
export async function settled(page: Page): Promise<void> {
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  await page.waitForFunction(() => {
    const requests = performance.getEntriesByType('resource');
    const last = Math.max(0, ...requests.map(({ startTime, duration }) => startTime + duration));
    return performance.now() - last > 500;
  });
}

/** Nothing on the page keeps people out who use a keyboard or a screen reader. @param rules all if undefined */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate(
    (runOnly) =>
      window.axe.run({ resultTypes: ['violations'], ...(runOnly === undefined ? {} : { runOnly }) }),
    rules,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** Opens the command menu by its shortcut, and waits until keys are typed into it. */
export async function openCommandMenu(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[role="combobox"]:focus').waitFor();
}

/** Closes a dialog by Escape, which it listens to from the moment it takes the focus, somewhat after it is seen. */
export async function closeByEscape(page: Page, dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((shown) => shown.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** A dialog closes neither by Escape nor by a press outside. */
export async function expectToStayOpen(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await dialog.isVisible()).toBe(true);
}

export const isFocused = (target: Locator) =>
  target.evaluate((element) => element === document.activeElement);

/** Presses Tab until something has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; pressed < 100; pressed += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('no press of Tab leads there');
}
