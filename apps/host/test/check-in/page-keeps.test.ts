import type { SignMethod } from '@waiver-service/forms';
import { longTest, makeLink, publishForm } from '@waiver-service/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CheckInScene,
  controlsToFillIn,
  draw,
  enterWater,
  enterWho,
  fillIn,
  goOn,
  goToSignature,
  heading,
  onScreen,
  pads,
  phone,
  send,
  signedNames,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { type ConsolePage, expectAccessible, isFocused, openTestPage } from '../harness/console-page.ts';

let scene: CheckInScene;
const desk = { desk: true };
const booking = { bookingId: 'BK-1001' };

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

const strokes = (page: Page) => page.locator('.pad path');
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
  });

  test('leads back to the first screen on which something is missing, however the address is changed', async () => {
    const { page } = await scene.open(desk);
    await enterWho(page);
    await page.goto(`${page.url().replace(/#.*/, '')}#check`);
    await onScreen(page, 'You and the water');
    // And stays there once nothing is missing any more.
    await enterWater(page);
    await onScreen(page, 'You and the water');
  });

  longTest(
    'is kept for the next guest of a shared tablet only in its tab, and deleted on request',
    async () => {
      const { page } = await scene.open(desk);
      await enterWho(page);
      await goOn(page, 'You and the water');
      // How far the device's clock is off, and nothing of the guest.
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['check-in-clock']);
      await page.getByRole('button', { name: 'Back' }).click();
      await onScreen(page, 'Who are you?');
      expect(await controlsToFillIn(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Start again' }).click();
      await page.getByRole('button', { name: 'Delete and start again' }).click();
      await expect.poll(() => page.getByLabel('First and last name').inputValue()).toBe('');
    },
  );

  longTest('is signed in a newer version of the form after its changes were read', async () => {
    const { page } = await scene.open(desk);
    await enterWho(page);
    await goToSignature(page);
    await draw(page, pads(page));
    await goOn(page, 'Is everything right?');
    const { admin } = scene.checkIn.host;
    const { form, content } = scene.checkIn.form;
    const pages = content.pages.map((one) => ({
      ...one,
      items: one.items.map((item) =>
        item.id === 'terms' && item.type === 'agree'
          ? { ...item, text: { en: 'Terms that are **new today**.', de: 'Neue Bedingungen.' } }
          : item,
      ),
    }));
    const path = `/v1/admin/pools/rafting/forms/${form}`;
    await admin('PUT', `${path}/draft`, { ...content, pages });
    expect((await admin('POST', `${path}/publish`)).status).toBe(201);
    await page.getByRole('button', { name: 'Confirm and send' }).click();
    await onScreen(page, 'The form has changed');
    await page.getByText('new today').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await onScreen(page, 'Read and agree');
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(false);
    expect(await page.getByRole('checkbox').nth(1).isChecked()).toBe(true);
    await page.getByRole('checkbox').first().check();
    await goOn(page, 'Signature');
    await draw(page, pads(page));
    await goOn(page, 'Is everything right?');
    await send(page);
  });
});

/** A link to a form with one page beside the questions to people: a consent and the signature. */
async function linkToSignature(methods: readonly SignMethod[]): Promise<string> {
  const { host, form } = scene.checkIn;
  const pool = `signed-by-${methods.join('-or-')}`;
  const app = await host.makePool(pool, { timeZone: 'Europe/Berlin' });
  const items = form.content.pages.flatMap((one) => one.items);
  const consent = items.filter((item) => item.type === 'agree' && item.act === 'electronic');
  const signatures = items.flatMap((item) => (item.type === 'sign' ? [{ ...item, methods }] : []));
  const pages = form.content.pages.flatMap((one) => {
    if (one.id === 'signature') return [{ ...one, items: [...consent, ...signatures] }];
    return one.id === 'you' ? [one] : [];
  });
  await publishForm(host, pool, { ...form.content, pages });
  return `${host.url}/check-in/${await makeLink(app, pool, desk)}`;
}

describe('a drawn signature', () => {
  longTest('that is missing is led to, even where nothing else could be used', async () => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.goto(await linkToSignature(['draw']));
    await enterWho(page);
    await goOn(page, 'Signature');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => isFocused(pads(page))).toBe(true);
    await expectAccessible(page);
    await draw(page, pads(page));
    await goOn(page, 'Is everything right?');
  });

  longTest('does not come back once the language has changed', async () => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.goto(await linkToSignature(['draw', 'type']));
    await enterWho(page);
    await goOn(page, 'Signature');
    await draw(page, pads(page));
    expect(await strokes(page).count()).toBe(1);
    await page.getByLabel('Language').selectOption('de');
    await page.getByText('Sie haben die Sprache gewechselt').waitFor();
    await expect.poll(() => strokes(page).count()).toBe(0);
    await page.getByLabel('Tippen', { exact: true }).check();
    await page.getByLabel('Zeichnen', { exact: true }).check();
    await pads(page).waitFor();
    expect(await strokes(page).count()).toBe(0);
  });

  longTest('outlives rotation, scrolling, typing and a reload', async () => {
    const { page } = await scene.open(desk, { hasTouch: true, isMobile: true });
    await enterWho(page);
    await goToSignature(page);
    await draw(page, pads(page));
    const drawn = await strokes(page).getAttribute('d');
    await page.setViewportSize({ width: phone.height, height: phone.width });
    await expect.poll(async () => (await pads(page).boundingBox())?.width).toBeGreaterThan(400);
    expect(await strokes(page).getAttribute('d')).toBe(drawn);
    await draw(page, pads(page));
    await page.mouse.wheel(0, 2_000);
    await page.setViewportSize(phone);
    expect(await strokes(page).count()).toBe(2);
    expect(await strokes(page).first().getAttribute('d')).toBe(drawn);
    await page.getByLabel('Type', { exact: true }).check();
    await page.getByLabel('Draw', { exact: true }).check();
    expect(await strokes(page).count()).toBe(2);
    await page.reload();
    await expect.poll(() => strokes(page).count()).toBe(2);
  });

  longTest('is none if it is a stray dot, which does not forbid a typed one', async () => {
    const { page } = await scene.open(desk);
    await enterWho(page);
    await goToSignature(page);
    await pads(page).click({ position: { x: 30, y: 30 } });
    expect(await strokes(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('That is not a signature yet').waitFor();
    await page.getByLabel('Type', { exact: true }).check();
    await page.getByLabel('Type your full name').fill('Ana Peña');
    await goOn(page, 'Is everything right?');
  });
});

/** The page in a browser that names its languages so; Playwright itself would refuse some of them. */
async function openIn(language: string, options: BrowserContextOptions = {}): Promise<ConsolePage> {
  const opened = await openTestPage(scene.browser, { viewport: phone, ...options });
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
    const { page } = await openIn(language);
    await onScreen(page, title);
  });

  longTest('a language chosen by hand keeps the answers, and wants to be agreed and signed in', async () => {
    const { page } = await scene.open(desk);
    await enterWho(page);
    await goToSignature(page);
    await page.getByLabel('Language').selectOption('de');
    await page.getByText('Sie haben die Sprache gewechselt').waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
    await onScreen(page, 'Sie und das Wasser');
    expect(await page.getByLabel('Gut, auch in bewegtem Wasser').isChecked()).toBe(true);
    expect(await page.getByRole('checkbox').isChecked()).toBe(false);
  });

  test('one that refuses storage works, and says what it does not do', async () => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
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
  });

  test('one whose database never opens, as some phones’ after a start, lets a guest sign', async () => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype;
      // An open connection, which does not give way, holds up every other version.
      const held = open.call(indexedDB, 'held', 1);
      addEventListener('pagehide', () => held.result.close());
      IDBFactory.prototype.open = function () {
        return open.call(this, 'held', 2);
      };
    });
    await page.goto(await scene.link(desk));
    await fillIn(page, 'Ana Unopened');
    await send(page);
    expect(await signedNames(scene)).toContain('Ana Unopened');
  });

  longTest('one whose disk fills up once the page is open lets a guest go on', async () => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value) {
        // The page tries with a small one whether anything is kept.
        if (this.name !== 'sessions' || value.link === 'probe') return put.call(this, value);
        document.documentElement.dataset.full = 'yes';
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      };
    });
    await page.goto(await scene.link(desk));
    await page.locator('html[data-full]').waitFor({ state: 'attached' });
    await enterWho(page);
    await goOn(page, 'You and the water');
  });

  longTest('one that does not get the texts, or a script, shows what to do', async () => {
    const link = await scene.link(desk);
    const kiosk = `${scene.checkIn.host.url}/check-in/kiosk`;
    for (const [url, script] of [
      [link, 'en'],
      [kiosk, 'en'],
      [kiosk, 'kiosk'],
    ] as const) {
      const { page } = await openTestPage(scene.browser, { viewport: phone });
      await page.route(`**/assets/${script}-*.js`, (route) => route.abort());
      await page.goto(url);
      await onScreen(page, 'This page could not be shown');
      await page.context().close();
    }
  });

  test('one without JavaScript shows a sentence', async () => {
    const { page } = await openTestPage(scene.browser, { javaScriptEnabled: false });
    await page.goto(await scene.link(desk));
    // Chromium parses the element as text where its own switch turns scripts off.
    expect(await page.locator('noscript').textContent()).toContain('This page needs JavaScript');
  });
});

describe('a link that leads nowhere says what to do', () => {
  const expectTitle = async (url: string, title: string) => {
    const { page } = await openTestPage(scene.browser, { viewport: phone });
    await page.goto(url);
    await onScreen(page, title);
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

longTest('letters twice as large fit a screen of 320 pixels', async () => {
  const { page } = await scene.open(booking, { viewport: { width: 320, height: 640 } });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const beyond = await page.locator('main').evaluate((main) => {
    const edge = main.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(main).paddingRight);
    return [...main.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > edge + 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
  expect(beyond).toEqual([]);
});

longTest(
  'a photo is made smaller on the device, by a script that is loaded when a form asks for one',
  async () => {
    const { host, form } = scene.checkIn;
    const app = await host.makePool('photos', { timeZone: 'Europe/Berlin' });
    const label = { en: 'Your photo', de: 'Ihr Foto' };
    const photo = { type: 'ask', id: 'photo', kind: 'photo', label, required: true, per: 'signer' } as const;
    const pages = form.content.pages.map((one) =>
      one.id === 'water' ? { ...one, items: [photo, ...one.items] } : one,
    );
    await publishForm(host, 'photos', { ...form.content, pages });
    const { page } = await openTestPage(scene.browser, { viewport: { width: 2_000, height: 1_500 } });
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    const picture = await page.screenshot();
    const { body } = await app('POST', '/v1/pools/photos/check-in-links', desk);
    await page.goto(String(body.url));
    await enterWho(page);
    const asked = () => scripts.filter((url) => /photo-question/.test(url)).length;
    expect(asked()).toBe(0);
    await goOn(page, 'You and the water');
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('no photo') });
    await page.getByText('This file could not be read as a photo').waitFor();
    await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: picture });
    const image = page.locator('.photo img');
    await image.waitFor();
    expect(asked()).toBe(1);
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1_600);
    expect(await image.getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/);
  },
);
