import { isLong, longTest } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agree,
  type CheckInScene,
  draw,
  enterDate,
  enterWater,
  enterWho,
  goOn,
  goToSignature,
  heading,
  onScreen,
  pads,
  send,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { expectAccessible, isFocused, tabTo } from '../harness/console-page.ts';

let scene: CheckInScene;
const booking = { bookingId: 'BK-1001' };
const desk = { desk: true };

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

/** The answers of the waivers that a page has signed, in the order of its guests. */
async function answersOf(signing: unknown): Promise<Record<string, unknown>[]> {
  const { id, guests }: { id: string; guests: unknown[] } = JSON.parse(String(signing));
  const path = (index: number) => `/v1/pools/rafting/waivers/${id}-${index + 1}`;
  const records = await Promise.all(guests.map((_, index) => scene.checkIn.app('GET', path(index))));
  return records.map(({ body }) => body);
}

describe('the page on which guests sign', () => {
  test('takes an adult of a group from the link to “thank you”, and the booking system hears of it', async () => {
    const { page } = await scene.open(booking);
    const signing = page.waitForRequest((request) => request.url().endsWith('/signings'));
    await expect(page.getByLabel('Zoë B.').count()).resolves.toBe(1);
    // On a guest's own phone, the browser may fill in what it knows of them.
    expect(await page.getByLabel('First and last name').getAttribute('autocomplete')).toBe('name');
    expect(await page.getByLabel('Email address').getAttribute('autocomplete')).toBe('email');
    await enterWho(page, 'Zoë Bäcker');
    await page.getByLabel('Zoë B.').check();
    await goToSignature(page);
    await draw(page, pads(page));
    await goOn(page, 'Is everything right?');
    await page.getByText('7 March 1988').waitFor();
    await send(page);
    await page.getByText('Signed for Zoë Bäcker.').waitFor();
    await expect.poll(() => isFocused(heading(page))).toBe(true);
    const [record] = await answersOf((await signing).postData());
    expect(record).toMatchObject({
      bookingId: 'BK-1001',
      bookingGuestId: 'G-1',
      currentPage: null,
      answers: { name: 'Zoë Bäcker', email: 'ana@example.com', dateOfBirth: '1988-03-07' },
    });
    await expect.poll(() => [...scene.checkIn.system.waivers.keys()]).toContain(String(record?.id));

    // Nothing of it stays on the phone but that it is done.
    await page.reload();
    await onScreen(page, 'All signed. Thank you!');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/example\.com|\b1988\b/);
    await page.getByRole('button', { name: 'Sign for another person' }).click();
    await onScreen(page, 'Who are you?');
    expect(await page.getByLabel('Zoë B.').isDisabled()).toBe(true);
    expect(await page.getByLabel('First and last name').inputValue()).toBe('');
  });

  longTest('takes a parent with two children: what is the same for all is asked once', async () => {
    const { page } = await scene.open(desk);
    const signing = page.waitForRequest((request) => request.url().endsWith('/signings'));
    await page.getByLabel('Myself and children').check();
    await enterWho(page);
    await page.getByLabel('Your relationship to the children').fill('Mother');
    await goOn(page, 'Your children');
    await page.getByRole('button', { name: 'Add another child' }).click();
    for (const [title, name, born] of [
      ['Child 1', 'Max Peña', '2012-05-01'],
      ['Child 2', 'Ida Peña', '2018-05-01'],
    ] as const) {
      const child = page.getByRole('region', { name: title });
      await child.getByLabel('First and last name').fill(name);
      await enterDate(child, born);
    }
    await goToSignature(page);
    // Max is old enough to sign, too; Ida is not.
    for (const name of ['Signature of Ana Peña', 'Signature of Max Peña']) {
      const signature = page.getByRole('region', { name, exact: true });
      await draw(page, signature.locator('.pad'));
    }
    await draw(page, page.getByRole('region', { name: /parent or guardian/ }).locator('.pad'));
    expect(await pads(page).count()).toBe(3);
    await goOn(page, 'Is everything right?');
    await send(page);
    await page.getByText('Signed for Ana Peña, Max Peña and Ida Peña.').waitFor();
    const records = await answersOf((await signing).postData());
    expect(records.map(({ answers }) => answers)).toMatchObject([
      { name: 'Ana Peña', minor: false, emergencyName: 'Jonas Peña' },
      { name: 'Max Peña', minor: true, guardianName: 'Ana Peña', emergencyName: 'Jonas Peña' },
      { name: 'Ida Peña', minor: true, guardianName: 'Ana Peña', emergencyName: 'Jonas Peña' },
    ]);
  });

  test('is signed by keyboard only, with a typed name', async () => {
    const { page } = await scene.open(desk);
    const { keyboard } = page;
    const type = async (label: string, text: string) => {
      await tabTo(page, page.getByLabel(label));
      await keyboard.type(text);
    };
    const press = async (label: string, key: string) => {
      await tabTo(page, page.getByLabel(label, { exact: true }).first());
      await keyboard.press(key);
    };
    await type('First and last name', 'Ana Peña');
    await type('Day', '7');
    await type('Month', 'March');
    await type('Year', '1988');
    await type('Email address', 'ana@example.com');
    await type('Whom should we call', 'Jonas Peña');
    await type('Their phone number', '+43 660 1234567');
    await keyboard.press('Enter');
    await onScreen(page, 'You and the water');
    // The heading of a new screen is read first.
    await expect.poll(() => isFocused(heading(page))).toBe(true);
    await press('Well, also in moving water', 'Space');
    await tabTo(page, page.getByRole('checkbox'));
    await keyboard.press('Space');
    await press('Yes', 'ArrowRight');
    await keyboard.press('Enter');
    await onScreen(page, 'The river and its risks');
    await type('Your initials', 'AP');
    await keyboard.press('Enter');
    await onScreen(page, 'Read and agree');
    for (const box of (await page.getByRole('checkbox').all()).slice(0, 3)) {
      await tabTo(page, box);
      await keyboard.press('Space');
    }
    await keyboard.press('Enter');
    await onScreen(page, 'Signature');
    await press('Draw', 'ArrowRight');
    await type('Type your full name', 'Ana Peña');
    await keyboard.press('Enter');
    await onScreen(page, 'Is everything right?');
    await tabTo(page, page.getByRole('button', { name: 'Confirm and send' }));
    await keyboard.press('Enter');
    await onScreen(page, 'All signed. Thank you!');
  });

  test('says beside each question what is wrong, and leads to the first', async () => {
    const { page } = await scene.open(desk);
    await page.getByRole('button', { name: 'Continue' }).click();
    const name = page.getByLabel('First and last name');
    await page.getByText('Please answer this question.').first().waitFor();
    await expect.poll(() => isFocused(name)).toBe(true);
    const described = await name.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('Please answer this question.');
    await enterWho(page);
    expect(await page.getByText('Please answer this question.').count()).toBe(0);
    await enterDate(page.getByRole('group', { name: 'Date of birth' }), '2015-01-01');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('a parent or guardian must sign').waitFor();
  });

  // In dark, colours differ and nothing else.
  test.each(isLong ? (['light', 'dark'] as const) : (['light'] as const))(
    'can be used by everyone on a screen of 320 pixels, %s',
    async (colorScheme) => {
      const viewport = { width: 320, height: 640 };
      const { page } = await scene.open(booking, { colorScheme, viewport });
      const expectFine = async () => {
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      };
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Please answer this question.').first().waitFor();
      await expectFine();
      await page.getByLabel('Myself and children').check();
      await enterWho(page);
      await page.getByLabel('Your relationship to the children').fill('Mother');
      await goOn(page, 'Your children');
      await page.getByLabel('First and last name').fill('Ida Peña');
      await enterDate(page.getByRole('group', { name: 'Date of birth' }), '2018-05-01');
      await expectFine();
      await goOn(page, 'You and the water');
      await enterWater(page);
      await expectFine();
      await goOn(page, 'The river and its risks');
      await page.getByLabel('Your initials').fill('AP');
      await expectFine();
      await goOn(page, 'Read and agree');
      await agree(page);
      await expectFine();
      await goOn(page, 'Signature');
      for (const pad of await pads(page).all()) await draw(page, pad);
      await expectFine();
      await goOn(page, 'Is everything right?');
      await expectFine();
      await send(page);
      await expectFine();
    },
  );
});
