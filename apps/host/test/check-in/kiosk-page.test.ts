import { longTest, textAt } from '@waiver-service/testing';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBookingOfNow,
  type CheckInScene,
  controlsToFillIn,
  draw,
  fillDisk,
  goOn,
  goToSignature,
  heading,
  onScreen,
  pads,
  sign,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { expectAccessible, isFocused, openTestPage } from '../harness/console-page.ts';

let scene: CheckInScene;
const kiosks = '/v1/admin/pools/rafting/kiosks';
const tablet = { width: 1024, height: 768 };
const welcome = 'Welcome! Please sign here.';
const bookingId = 'BK-2001';

beforeAll(async () => {
  scene = await startCheckInScene();
  await addBookingOfNow(scene, bookingId, [
    { id: 'G-1', name: 'Zoë Bäcker' },
    { id: 'G-2', name: 'Max Bäcker' },
  ]);
});
afterAll(() => scene?.close());

async function pairTablet(page: Page, settings: object = {}): Promise<string> {
  const { body } = await scene.checkIn.host.admin('POST', kiosks, { name: 'Desk', pin: '2468', ...settings });
  await page.goto(`${scene.checkIn.host.url}/check-in/kiosk`);
  await onScreen(page, 'Pair this tablet');
  await page.getByLabel('Code').fill(textAt(body, 'code').toLowerCase());
  await page.getByRole('button', { name: 'Pair' }).click();
  return textAt(body, 'id');
}

async function pairedTablet(options: BrowserContextOptions = {}, settings: object = {}) {
  const opened = await openTestPage(scene.browser, { viewport: tablet, hasTouch: true, ...options });
  const id = await pairTablet(opened.page, settings);
  await onScreen(opened.page, welcome);
  return { ...opened, id };
}

async function openTeam(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'For the team' }).click();
  await page.getByLabel('PIN').fill('2468');
  await page.getByRole('button', { name: 'Open' }).click();
}

const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

const kioskOf = async (id: string) => {
  const { body } = await scene.checkIn.host.admin('GET', kiosks);
  const items: { id: string; waiting: number; waitingSince: string | null }[] = body.items;
  return items.find((kiosk) => kiosk.id === id);
};

describe('a kiosk', () => {
  test('takes a guest of today’s list, and the next one finds nothing of them', async () => {
    const { page } = await pairedTablet();
    await expectAccessible(page);
    const booking = page.getByRole('button', { name: /Zoë B\., Max B\./ });
    await booking.getByText('0 of 2 signed').waitFor();
    await page.getByLabel('Your first name or booking number').fill('max');
    await booking.click();
    await onScreen(page, 'Who are you?');
    expect(await controlsToFillIn(page).count()).toBe(0);
    await page.getByLabel('Children only').check();
    await page.getByLabel('Your full name').waitFor();
    expect(await controlsToFillIn(page).count()).toBe(0);
    await page.getByLabel('Myself', { exact: true }).check();
    await page.getByLabel('Max B.').check();
    await page.getByLabel('First and last name').fill('Max Bäcker');
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('button', { name: 'Delete and start again' }).click();
    await onScreen(page, welcome);
    await booking.click();
    await page.getByLabel('First and last name').waitFor();
    expect(await page.getByLabel('First and last name').inputValue()).toBe('');
    await page.getByLabel('Max B.').check();
    await enterWhoAtKiosk(page, 'Max Bäcker');
    const copy = page.getByRole('img', { name: 'Code with the link to your copy' });
    await copy.waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Next guest' }).click();
    await onScreen(page, welcome);
    expect(await copy.count()).toBe(0);
    await booking.getByText('1 of 2 signed').waitFor();
  });

  test('works without signal from its start to “thank you”, and the console hears what waits', async () => {
    const { page, id } = await pairedTablet();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByRole('button', { name: 'Sign without a booking' }).waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await onScreen(page, welcome);
    await page.getByRole('button', { name: 'Sign without a booking' }).click();
    await sign(page, 'Ana River');
    await page.getByText('kept on this tablet').waitFor();
    await page.getByRole('button', { name: 'Next guest' }).click();
    await page.getByText('1 signing waits on this device').waitFor();
    await page.context().setOffline(false);
    await page.getByText('What waited on this device was sent.').waitFor();
    const { body } = await scene.checkIn.app('GET', '/v1/pools/rafting/waivers?limit=100');
    expect(JSON.stringify(body).match(/Ana River/g)?.length).toBe(1);
    await expect.poll(async () => (await kioskOf(id))?.waiting).toBe(0);
  });

  longTest('says to the console since when signings wait', async () => {
    const { page, id } = await pairedTablet();
    await page.route('**/check-in/api/kiosk/signings', (route) => route.abort());
    await page.route('**/check-in/api/sealed-signings/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign without a booking' }).click();
    await sign(page, 'Ana Waiting');
    await expect.poll(() => kioskOf(id)).toMatchObject({ waiting: 1, waitingSince: expect.any(String) });
  });

  longTest('returns to its start when it is left alone, and says so before', async () => {
    const { page } = await pairedTablet({}, { returnAfterS: 15 });
    const start = Date.now();
    // The time stands still between these: on a slow machine, the look at the warning takes longer than the warning.
    const leaveAlone = (seconds: number) => page.clock.setFixedTime(start + seconds * 1_000);
    await leaveAlone(0);
    await page.getByRole('button', { name: 'Sign without a booking' }).click();
    await page.getByLabel('First and last name').fill('Ana Gone');
    await leaveAlone(17);
    const warning = page.getByRole('alertdialog', { name: 'Are you still there?' });
    await warning.waitFor();
    await expectAccessible(page);
    // Only the click closes it: if the touch before it did, the click would reach what is behind.
    await warning.getByRole('button', { name: 'Continue' }).hover();
    await page.mouse.down();
    await page.waitForTimeout(1_000);
    expect(await warning.isVisible()).toBe(true);
    await page.mouse.up();
    await warning.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('First and last name').inputValue()).toBe('Ana Gone');
    await leaveAlone(34);
    await warning.waitFor();
    await leaveAlone(57);
    await onScreen(page, welcome);
    await page.getByRole('button', { name: 'Sign without a booking' }).click();
    expect(await page.getByLabel('First and last name').inputValue()).toBe('');
  });

  longTest('empties its first screen when it is left alone, without a warning', async () => {
    const { page } = await pairedTablet({}, { returnAfterS: 15 });
    let time = Date.now();
    const leaveAlone = (seconds: number) => {
      time += seconds * 1_000;
      return page.clock.setFixedTime(time);
    };
    const search = page.getByRole('searchbox');
    await leaveAlone(0);
    await page.getByLabel('Language').selectOption('de');
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
    await search.fill('max');
    await leaveAlone(17);
    await onScreen(page, welcome);
    expect(await search.inputValue()).toBe('');
    await search.fill('max');
    // Again and again: the page may notice the first time only after it has passed.
    const searchLater = async () => {
      await leaveAlone(17);
      return search.inputValue();
    };
    await expect.poll(searchLater).toBe('');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  longTest('shows each screen from its top, and reads its heading first', async () => {
    const { page } = await pairedTablet({ viewport: { width: 1024, height: 320 } });
    const walkIn = page.getByRole('button', { name: 'Sign without a booking' });
    await walkIn.scrollIntoViewIfNeeded();
    const scrolled = () => page.evaluate(() => scrollY);
    expect(await scrolled()).toBeGreaterThan(0);
    await walkIn.click();
    await onScreen(page, 'Who are you?');
    await expect.poll(scrolled).toBe(0);
    expect(await isFocused(heading(page))).toBe(true);
  });

  longTest('that can keep nothing more stays one, says so, and sends what it has', async () => {
    const { page } = await pairedTablet();
    const context = page.context();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByRole('button', { name: 'Sign without a booking' }).click();
    await context.setOffline(true);
    await sign(page, 'Ana Full');
    await page.getByText('1 signing waits on this device').waitFor();
    await page.close();
    await context.addInitScript(fillDisk);
    await context.setOffline(false);
    const later = await context.newPage();
    await later.goto(`${scene.checkIn.host.url}/check-in/kiosk`);
    await onScreen(later, welcome);
    await later.getByText('What waited on this device was sent.').waitFor();
    await later.getByText('This browser cannot keep your signature').waitFor();
    await openTeam(later);
    await later.getByText('This browser cannot keep what guests sign.').waitFor();
    await later.getByText('Nothing waits on this tablet.').waitFor();
    await expectAccessible(later);
  });

  longTest('asks for the PIN, also without signal, and takes five wrong ones', async () => {
    const { page } = await pairedTablet();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'For the team' }).click();
    const type = async (pin: string) => {
      await page.getByLabel('PIN').fill(pin);
      await page.getByRole('button', { name: 'Open' }).click();
    };
    await type('2468');
    await page.getByText('Nothing waits on this tablet.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Back to the guests' }).click();
    await page.getByRole('button', { name: 'For the team' }).click();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await type(`000${attempt}`);
      await page.getByText('This PIN is wrong.').waitFor();
    }
    await type('0005');
    await page.getByText('Too many wrong PINs').waitFor();
    await page.reload().catch(() => undefined);
    await page.context().setOffline(false);
    await page.reload();
    await page.getByRole('button', { name: 'For the team' }).click();
    await type('2468');
    await page.getByText('Too many wrong PINs').waitFor();
  });

  longTest('is not paired where its credential cannot be stored, and says so', async () => {
    const context = await scene.browser.newContext({ viewport: tablet });
    await context.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...row) {
        if (this.name === 'kiosk') throw new DOMException('The disk is full.', 'QuotaExceededError');
        return put.apply(this, row);
      };
    });
    const page = await context.newPage();
    await pairTablet(page);
    await page.getByText('This browser cannot keep what guests sign.').waitFor();
    await context.close();
  });

  test('is ended by the console, and says so until it is paired again', async () => {
    const { page, id } = await pairedTablet();
    await scene.checkIn.host.admin('DELETE', `${kiosks}/${id}`);
    await page.reload();
    await onScreen(page, 'Pair this tablet');
    await page.getByText('This kiosk was revoked').waitFor();
    // That it has ended, and no day with its guests' names.
    expect(await keptOn(page)).toEqual(['ended']);
    // The team reads why, whenever it looks.
    await page.reload();
    await page.getByText('This kiosk was revoked').waitFor();
  });

  longTest(
    'is ended by the team while its day is read, and no late answer brings anything back',
    async () => {
      const { page } = await pairedTablet();
      await openTeam(page);
      const held: Route[] = [];
      await page.route('**/check-in/api/kiosk/day', (route) =>
        held.length < 2 ? void held.push(route) : route.continue(),
      );
      for (const count of [1, 2]) {
        await page.evaluate(() => dispatchEvent(new Event('online')));
        await expect.poll(() => held.length).toBe(count);
      }
      const [day, refusal] = held;
      await page.getByRole('button', { name: 'End the kiosk' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End the kiosk' }).click();
      await onScreen(page, 'Pair this tablet');
      await day?.fulfill({ response: await day.fetch() });
      await readToEnd(day);
      await onScreen(page, 'Pair this tablet');
      expect(await keptOn(page)).toEqual([]);

      const { body } = await scene.checkIn.host.admin('POST', kiosks, { name: 'Desk', pin: '2468' });
      await page.getByLabel('Code').fill(textAt(body, 'code'));
      await page.getByRole('button', { name: 'Pair' }).click();
      await page.getByRole('button', { name: 'Sign without a booking' }).waitFor();
      await refusal?.fulfill({ status: 401, json: { success: false, code: 'kiosk_revoked' } });
      await readToEnd(refusal);
      expect(await keptOn(page)).toEqual(['credential', 'day']);
      await page.getByRole('button', { name: 'Sign without a booking' }).waitFor();
    },
  );

  longTest.each([
    ['a phone', { width: 320, height: 640 }, 'en'],
    ['a tablet upright', { width: 768, height: 1024 }, 'ar'],
  ])('fits %s', async (_what, viewport, language) => {
    const { page } = await pairedTablet({ viewport });
    await page.getByLabel('Language').selectOption(language);
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(await fits(page)).toBe(true);
    await expectAccessible(page);
  });
});

/** Waits until the page has done what it does with an answer. */
async function readToEnd(route: Route | undefined): Promise<void> {
  const request = route?.request();
  await (await request?.response())?.finished();
  await request?.frame().evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
}

/** The names of what the tablet keeps as a kiosk. */
const keptOn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('check-in');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('kiosk').objectStore('kiosk').getAllKeys();
          reading.onsuccess = () => resolve(reading.result);
        };
      }),
  );

async function enterWhoAtKiosk(page: Page, name: string): Promise<void> {
  await page.getByLabel('First and last name').fill(name);
  const date = page.getByRole('group', { name: 'Date of birth' });
  await date.getByLabel('Day').fill('7');
  await date.getByLabel('Month').selectOption('3');
  await date.getByLabel('Year').fill('1988');
  await page.getByLabel('Email address').fill('max@example.com');
  await page.getByLabel('Whom should we call').fill('Jonas Peña');
  await page.getByLabel('Their phone number').fill('+43 660 1234567');
  await goToSignature(page);
  await draw(page, pads(page));
  await goOn(page, 'Is everything right?');
  await page.getByRole('button', { name: 'Confirm and send' }).click();
  await onScreen(page, 'All signed. Thank you!');
}
