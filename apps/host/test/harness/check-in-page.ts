import { makeLink } from '@waiver-service/testing';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { type ConsolePage, openTestPage } from './console-page.ts';
import { type CheckInHost, startCheckInHost } from './test-host.ts';

/** A phone's screen. */
export const phone = { width: 390, height: 844 };

/** A host where guests can sign, and a browser to do it in. */
export interface CheckInScene {
  readonly checkIn: CheckInHost;
  readonly browser: Browser;
  /** The address of a link. */
  link(place: object, pool?: string): Promise<string>;
  /** A link in a new browser context, once the page is there; the test that runs fails if the page has complaints. */
  open(place: object, options?: BrowserContextOptions): Promise<ConsolePage>;
  close(): Promise<void>;
}

export async function startCheckInScene(...host: Parameters<typeof startCheckInHost>): Promise<CheckInScene> {
  const [checkIn, browser] = await Promise.all([startCheckInHost(...host), startBrowser()]);
  const link = async (place: object, pool = 'rafting') =>
    `${checkIn.host.url}/check-in/${await makeLink(checkIn.app, pool, place)}`;
  return {
    checkIn,
    browser,
    link,
    async open(place, options = {}) {
      const opened = await openTestPage(browser, { viewport: phone, ...options });
      await opened.page.goto(await link(place));
      await heading(opened.page).waitFor();
      return opened;
    },
    async close() {
      await browser.close();
      await checkIn.close();
    },
  };
}

export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });

/** Waits for a screen. */
export const onScreen = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title }).waitFor();

/** Goes on, and waits for the next screen. */
export async function goOn(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await onScreen(page, title);
}

/** Fills in a date of birth, `YYYY-MM-DD`. */
export async function enterDate(date: Locator, day: string): Promise<void> {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-').map((part) => String(Number(part)));
  await date.getByLabel('Day').fill(dayOfMonth);
  await date.getByLabel('Month').selectOption(month);
  await date.getByLabel('Year').fill(year);
}

/** Fills in who someone is; on a booking's link, that they are none of its guests. */
export async function enterWho(page: Page, name = 'Ana Peña'): Promise<void> {
  const notListed = page.getByLabel('I am not on this list');
  if ((await notListed.count()) > 0) await notListed.check();
  await page.getByLabel('First and last name').fill(name);
  await enterDate(page.getByRole('group', { name: 'Date of birth' }), '1988-03-07');
  await enterContact(page);
}

async function enterContact(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill('ana@example.com');
  await page.getByLabel('Whom should we call').fill('Jonas Peña');
  await page.getByLabel('Their phone number').fill('+43 660 1234567');
}

/** Answers the questions about water, for each guest. */
export async function enterWater(page: Page): Promise<void> {
  for (const swimming of await page.getByLabel('Well, also in moving water').all()) await swimming.check();
  await page.getByRole('checkbox').check();
  for (const condition of await page.getByLabel('No', { exact: true }).all()) await condition.check();
}

/** Agrees to what must be agreed to. */
export async function agree(page: Page): Promise<void> {
  for (const box of await page.getByRole('checkbox').all()) {
    const isOptional = (await box.locator('xpath=..').getByText('(optional)').count()) > 0;
    if (!isOptional) await box.check();
  }
}

/** From the first screen, filled in, to the one with the signatures. */
export async function goToSignature(page: Page): Promise<void> {
  await goOn(page, 'You and the water');
  await enterWater(page);
  await goOn(page, 'The river and its risks');
  await page.getByLabel('Your initials').fill('AP');
  await goOn(page, 'Read and agree');
  await agree(page);
  await goOn(page, 'Signature');
}

/** Draws a signature on a pad. */
export async function draw(page: Page, pad: Locator): Promise<void> {
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (box === null) throw new Error('the pad is not there');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 40, y);
  await page.mouse.down();
  for (let step = 1; step <= 20; step += 1) {
    await page.mouse.move(box.x + 40 + step * 9, y + 40 * Math.sin(step / 1.6) * (1 - step / 40));
  }
  await page.mouse.up();
}

/** The controls that the browser may fill in with what it has kept. */
export const controlsToFillIn = (page: Page): Locator =>
  page.locator(
    'form :is(input, select, textarea):not([autocomplete=off], [autocomplete=off] *), [autocomplete]:not([autocomplete=off])',
  );

export const pads = (page: Page): Locator => page.locator('.pad');

/** Runs in a page, before its scripts: the disk is full. */
export function fillDisk(): void {
  navigator.storage.estimate = async () => ({ quota: 10_000_000, usage: 9_999_000 });
}

/** Confirms on the last screen but one, and waits until it is signed. */
export async function send(page: Page): Promise<void> {
  await onScreen(page, 'Is everything right?');
  await page.getByRole('button', { name: 'Confirm and send' }).click();
  await onScreen(page, 'All signed. Thank you!');
}

/** Fills in every screen up to the last but one. */
export async function fillIn(page: Page, name?: string): Promise<void> {
  await enterWho(page, name);
  await goToSignature(page);
  await draw(page, pads(page));
  await goOn(page, 'Is everything right?');
}

export async function sign(page: Page, name: string): Promise<void> {
  await fillIn(page, name);
  await send(page);
}

/** The names of the guests whose waivers are complete. */
export async function signedNames({ checkIn }: CheckInScene): Promise<string[]> {
  const { body } = await checkIn.app('GET', '/v1/pools/rafting/waivers?limit=100');
  const items: { answers: { name: string }; currentPage: unknown }[] = body.items;
  return items.filter(({ currentPage }) => currentPage === null).map(({ answers }) => answers.name);
}

/** Adds a booking whose session begins now, and has the service read it. */
export async function addBookingOfNow(
  { checkIn }: CheckInScene,
  id: string,
  guests: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const startsAt = new Date().toISOString();
  const [first] = checkIn.system.bookings.all;
  if (first === undefined) throw new Error('the booking system has no booking');
  checkIn.system.bookings.add({
    ...first,
    id,
    pax: guests.length,
    guests: [...guests],
    bookedSessions: [{ startsAt, endsAt: startsAt, activityId: 'raft', activityName: 'Rafting' }],
  });
  const guest = await checkIn.guest({ bookingId: id });
  const { status } = await guest('GET', '/check-in/api/session');
  if (status !== 200) throw new Error(`the booking could not be read: ${status}`);
}
