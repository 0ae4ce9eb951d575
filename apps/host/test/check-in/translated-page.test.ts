import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agree,
  type CheckInScene,
  draw,
  enterWho,
  goOn,
  pads,
  send,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { translatePage } from '../harness/translate-page.ts';

/** The text of everything that {@link translatePage} translates is set in these quotation marks. */
const quotationMarks = /[«»]/g;

let scene: CheckInScene;
const desk = { desk: true };

beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

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
