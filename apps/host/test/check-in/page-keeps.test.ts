import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CheckInScene,
  draw,
  enterWater,
  enterWho,
  goOn,
  goToSignature,
  heading,
  onScreen,
  pads,
  phone,
  send,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { type ConsolePage, openPage } from '../harness/console-page.ts';

let scene: CheckInScene;
const desk = { desk: true };
const booking = { bookingId: 'BK-1001' };

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

const swimsWell = (page: Page) => page.getByLabel('Well, also in moving water');

describe('what a guest entered', () => {
  test('is there after going back, forward, a reload and in the next tab, and on no other link', async () => {
    const { page } = await scene.open(booking);
    await enterWho(page);
    await goOn(page, 'You and the water');
    await swimsWell(page).check();
    await page.goBack();
    await onScreen(page, 'Who are you?');
    expect(await page.getByLabel('First and last name').inputValue()).toBe('Ana Peña');
    await page.goForward();
    await onScreen(page, 'You and the water');
    expect(await swimsWell(page).isChecked()).toBe(true);
    await page.getByLabel('Weight').fill('72');
    await page.reload();
    await onScreen(page, 'You and the water');
    expect(await page.getByLabel('Weight').inputValue()).toBe('72');
    const tab = await page.context().newPage();
    const address = page.url().replace(/#.*/, '');
    await page.close({ runBeforeUnload: true });
    await tab.goto(address);
    await onScreen(tab, 'You and the water');
    await tab.getByRole('button', { name: 'Back' }).click();
    await onScreen(tab, 'Who are you?');
    await tab.goto(await scene.link(booking));
    await expect.poll(() => tab.getByLabel('First and last name').inputValue()).toBe('');
    await tab.context().close();
  });

  test('leads back to the first screen on which something is missing, however the address is changed', async () => {
    const { page } = await scene.open(desk);
    await enterWho(page);
    await page.goto(`${page.url().replace(/#.*/, '')}#check`);
    await onScreen(page, 'You and the water');
    // And stays there once nothing is missing any more.
    await enterWater(page);
    await onScreen(page, 'You and the water');
    await page.context().close();
  });
});

/** The page in a browser that names its languages so; Playwright itself would refuse some of them. */
async function openIn(language: string, options: BrowserContextOptions = {}): Promise<ConsolePage> {
  const opened = await openPage(scene.browser, { viewport: phone, ...options });
  await opened.page.addInitScript((tag) => {
    Object.defineProperty(Navigator.prototype, 'language', { get: () => tag });
    Object.defineProperty(Navigator.prototype, 'languages', { get: () => [tag] });
  }, language);
  await opened.page.goto(await scene.link(desk));
  await heading(opened.page).waitFor();
  return opened;
}

describe('odd browsers', () => {
  test.each([
    ['en-US@posix', 'Who are you?'],
    ['x-klingon', 'Who are you?'],
    ['', 'Who are you?'],
    ['de-AT', 'Wer sind Sie?'],
  ])('one whose language is “%s” shows “%s”', async (language, title) => {
    const { page, complaints } = await openIn(language);
    await onScreen(page, title);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('one that refuses storage works, and says what it does not do', async () => {
    const { page, complaints } = await openPage(scene.browser, { viewport: phone });
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
      }
    });
    await page.goto(await scene.link(desk));
    await page.getByText('This browser does not keep what you enter.').waitFor();
    await page.getByText('This browser cannot keep your signature').waitFor();
    await enterWho(page);
    await goToSignature(page);
    await draw(page, pads(page));
    await goOn(page, 'Is everything right?');
    await send(page);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('one without JavaScript shows a sentence', async () => {
    const { page } = await openPage(scene.browser, { javaScriptEnabled: false });
    await page.goto(await scene.link(desk));
    // Chromium parses the element as text where its own switch turns scripts off.
    expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript');
    await page.context().close();
  });
});

describe('a link that leads nowhere says what to do', () => {
  const expectTitle = async (url: string, title: string) => {
    const { page } = await openPage(scene.browser, { viewport: phone });
    await page.goto(url);
    await onScreen(page, title);
    await page.context().close();
  };

  test('unknown, revoked, or without a form', async () => {
    const { host, app } = scene.checkIn;
    await expectTitle(`${host.url}/check-in/${'x'.repeat(43)}`, 'This link does not work');
    await expectTitle(`${host.url}/check-in/`, 'This link does not work');
    const { body } = await app('POST', '/v1/pools/rafting/check-in-links', desk);
    await app('DELETE', `/v1/pools/rafting/check-in-links/${body.id}`);
    await expectTitle(String(body.url), 'This link is no longer valid');
    const other = await host.makePool('no-form', { timeZone: 'Europe/Berlin' });
    const without = await other('POST', '/v1/pools/no-form/check-in-links', desk);
    await expectTitle(String(without.body.url), 'There is nothing to sign here yet');
  });
});
