import { isLong, longTest, textAt } from '@waiver-service/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setClockForward, translatePage } from '../harness/browser.ts';
import {
  addBookingOfNow,
  agree,
  type CheckInScene,
  draw,
  enterWho,
  goOn,
  onScreen,
  pads,
  send,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { openTestPage } from '../harness/console-page.ts';

let scene: CheckInScene;
beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

describe('a wrong clock', () => {
  const hourMs = 3_600_000;
  const welcome = 'Welcome! Please sign here.';

  // Not a whole number of days, so that a time of day is off, too.
  const clocks: [string, number][] = [
    ['a day ahead', 25 * hourMs],
    ['a day behind', -25 * hourMs],
  ];

  beforeAll(() => addBookingOfNow(scene, 'BK-2001', [{ id: 'G-1', name: 'Zoë Bäcker' }]));

  async function pairKiosk(page: Page, returnAfterS?: number): Promise<void> {
    const kiosk = { name: 'Desk', pin: '2468', returnAfterS };
    const { body } = await scene.checkIn.host.admin('POST', '/v1/admin/pools/rafting/kiosks', kiosk);
    await page.goto(`${scene.checkIn.host.url}/check-in/kiosk`);
    await page.getByLabel('Code').fill(textAt(body, 'code'));
    await page.getByRole('button', { name: 'Pair' }).click();
  }

  /** A page on a device whose clock is off. */
  async function openOff(aheadMs: number): Promise<Page> {
    const { page } = await openTestPage(scene.browser, { viewport: { width: 1024, height: 768 } });
    await setClockForward(page, aheadMs);
    return page;
  }

  const isOffBy = async (page: Page, aheadMs: number) =>
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now() - aheadMs)).toBeLessThan(60_000);

  async function reloadWithoutSignal(page: Page): Promise<void> {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
  }

  describe.each(isLong ? clocks : clocks.slice(0, 1))('on a device whose clock is %s', (_what, aheadMs) => {
    test('a kiosk keeps the day’s list without signal, and says when it was read', async () => {
      const page = await openOff(aheadMs);
      await pairKiosk(page);
      const booking = page.getByRole('button', { name: /Zoë B\./ });
      await booking.waitFor();
      await reloadWithoutSignal(page);
      await onScreen(page, welcome);
      await isOffBy(page, aheadMs);
      await booking.waitFor();
      // As each minute.
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await booking.waitFor();
      const shown = (await page.getByText(/^List of/).textContent()) ?? '';
      const times = await page.evaluate(
        (now) =>
          [0, 1, 2, 3].map((minutes) =>
            new Intl.DateTimeFormat(navigator.language, {
              hour: '2-digit',
              minute: '2-digit',
              timeZone: 'Europe/Berlin',
            }).format(now - minutes * 60_000),
          ),
        Date.now(),
      );
      expect(times.map((time) => `List of ${time}`)).toContain(shown);
      // The list goes when the day is over, by the service's clock.
      await setClockForward(page, 24 * hourMs);
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await booking.waitFor({ state: 'detached' });
    });

    test('a link opens without signal until it ends, with what was typed, and no longer', async () => {
      const page = await openOff(aheadMs);
      const expiresAt = new Date(Date.now() + 12 * hourMs).toISOString();
      const address = await scene.link({ bookingId: 'BK-2001', expiresAt });
      await page.goto(address);
      await page.getByLabel('I am not on this list').check();
      const name = page.getByLabel('First and last name');
      await name.fill('Ana Draft');
      await reloadWithoutSignal(page);
      await onScreen(page, 'Who are you?');
      await isOffBy(page, aheadMs);
      expect(await name.inputValue()).toBe('Ana Draft');
      await setClockForward(page, 13 * hourMs);
      await page.goto(`${scene.checkIn.host.url}/check-in/kiosk`);
      await page.goto(address);
      await onScreen(page, 'No connection');
    });
  });

  /** A kiosk at which a guest has begun to type, and whose clock is then set. */
  async function typedAtKiosk(forwardMs: number) {
    const { page } = await openTestPage(scene.browser, { viewport: { width: 1024, height: 768 } });
    await pairKiosk(page, 15);
    await page.getByRole('button', { name: /Zoë B\./ }).click();
    await page.getByLabel('I am not on this list').check();
    const name = page.getByLabel('First and last name');
    await name.fill('Ana Draft');
    await setClockForward(page, forwardMs);
    return { page, name };
  }

  test('a kiosk whose clock is set forward loses nothing of a guest who is typing', async () => {
    const { page, name } = await typedAtKiosk(25 * hourMs);
    // It looks twice a second.
    await page.waitForTimeout(2_000);
    expect(await name.inputValue({ timeout: 1_000 })).toBe('Ana Draft');
  });

  test('a kiosk that slept while nobody was there returns at once when it wakes', async () => {
    const { page } = await typedAtKiosk(0);
    const turn = (state: DocumentVisibilityState) =>
      page.evaluate((shown) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: shown });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await turn('hidden');
    // Many browsers stop `performance.now()` meanwhile, but not the clock.
    await setClockForward(page, hourMs);
    await turn('visible');
    await page.getByRole('heading', { name: welcome }).waitFor({ timeout: 10_000 });
  });

  longTest('a kiosk whose clock is set back returns when it is left alone', async () => {
    const { page } = await typedAtKiosk(-25 * hourMs);
    await page.getByRole('heading', { name: welcome }).waitFor({ timeout: 60_000 });
  });
});

describe('a translator', () => {
  /** The text of everything that {@link translatePage} translates is set in these quotation marks. */
  const quotationMarks = /[«»]/g;
  const desk = { desk: true };

  /** All that a guest reads, with what the translator left; without the note that the page is translated. */
  const textOf = async (page: Page): Promise<string> => {
    const text = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('header, main > :not(.translation-note), option, title')]
        .map((element) => element.textContent)
        .join('\n'),
    );
    return text.replace(quotationMarks, '');
  };

  /** The same screens with and without a translator. */
  interface Twins {
    readonly plain: Page;
    readonly translated: Page;
  }

  async function openTwins(): Promise<Twins> {
    const [plain, translated] = await Promise.all([scene.open(desk), scene.open(desk)]);
    await translated.page.evaluate(translatePage);
    return { plain: plain.page, translated: translated.page };
  }

  /** Does the same in both, and compares what they show then. */
  async function both({ plain, translated }: Twins, act: (page: Page) => Promise<unknown>): Promise<void> {
    await act(plain);
    await act(translated);
    const expected = await textOf(plain);
    await expect.poll(() => textOf(translated)).toBe(expected);
  }

  async function answerWater(page: Page): Promise<void> {
    await page.getByLabel('Well, also in moving water').check();
    await page.getByRole('checkbox').check();
    for (const no of await page.getByLabel(/^«?No»?$/).all()) await no.check();
  }

  const isTranslated = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((found) => found.map((one) => one.querySelector('font') !== null));

  const chooseLanguage = (language: string, word: string) => async (page: Page) => {
    await page.locator('.language select').selectOption(language);
    await page.getByRole('button', { name: word }).waitFor();
  };

  async function readSigning(body: unknown) {
    const { id }: { id: string } = JSON.parse(String(body));
    return (await scene.checkIn.host.admin('GET', `/v1/admin/pools/rafting/waivers/${id}-1/signing`)).body;
  }

  describe('a page that the browser translates', () => {
    test('shows each screen and nothing of former ones, keeps the signed text, and its record says so', async () => {
      const twins = await openTwins();
      const { plain, translated } = twins;
      const request = translated.waitForRequest((one) => one.url().endsWith('/signings'));
      const plainRequest = plain.waitForRequest((one) => one.url().endsWith('/signings'));
      await both(twins, (page) => page.getByRole('button', { name: 'Continue' }).click());
      await both(twins, async (page) => enterWho(page));
      await both(twins, (page) => goOn(page, 'You and the water'));
      await both(twins, chooseLanguage('de', 'Weiter'));
      await both(twins, chooseLanguage('en', 'Continue'));
      await both(twins, async (page) => {
        await page.getByRole('button', { name: 'Back' }).click();
        await page.getByLabel('First and last name').waitFor();
      });
      await both(twins, (page) => goOn(page, 'You and the water'));
      await both(twins, answerWater);
      await both(twins, (page) => goOn(page, 'The river and its risks'));
      expect(await isTranslated(translated, '.prose > :not(.field)')).not.toContain(true);
      await both(twins, (page) => page.getByLabel('Your initials').fill('AP'));
      await both(twins, (page) => goOn(page, 'Read and agree'));
      const consents = await isTranslated(translated, '.consent .choice-text > :not(.optional)');
      expect(consents.length).toBeGreaterThan(0);
      expect(consents).not.toContain(true);
      await both(twins, agree);
      await both(twins, (page) => goOn(page, 'Signature'));
      expect(await isTranslated(translated, '[id$="-statement"]')).toEqual([false]);
      await both(twins, (page) => draw(page, pads(page)));
      await both(twins, (page) => goOn(page, 'Is everything right?'));
      expect(await isTranslated(translated, '.entry.consent dt')).not.toContain(true);
      const note = await translated.locator('.translation-note').textContent();
      expect(note?.replace(quotationMarks, '')).toMatch(/can be read and signed in: English, Deutsch/);
      await both(twins, send);

      expect(JSON.parse(String((await plainRequest).postData())).times).not.toHaveProperty('translatedAt');
      const { translatedAt } = JSON.parse(String((await request).postData())).times;
      expect(translatedAt).toMatch(/^\d{4}-.*Z$/);
      expect(await readSigning((await request).postData())).toMatchObject({ translatedAt });
      expect(await readSigning((await plainRequest).postData())).toMatchObject({ translatedAt: null });
    });
  });
});
