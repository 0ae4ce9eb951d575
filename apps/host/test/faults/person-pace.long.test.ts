import { availableParallelism, loadavg } from 'node:os';
import { exampleForms } from '@waiver-service/forms/examples';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CheckInScene,
  goOn,
  heading,
  onScreen,
  pads,
  phone,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { openPage } from '../harness/console-page.ts';

// How long a person takes. Typing: 36.2 words of five letters a minute, the mean of 37,370 people on their own phone (Palin and
// others, "How do people type on mobile devices?", MobileHCI 2019). A tap: 0.567 s, of 18 people on a tablet (Applied
// Ergonomics 58, 2017, doi 10.1016/j.apergo.2016.06.004), who took longer than 0.843 s to slide. To decide: 1.35 s (Card, Moran
// and Newell, "The keystroke-level model", 1980), for each screen and each choice. A signature: two seconds, an assumption.
// Reading: 238 words a minute (Brysbaert, "How many words do we read per minute?", 2019); it is counted apart.
const msPerCharacter = 60_000 / (36.2 * 5);
const tapMs = 567;
const slideMs = 900;
const decideMs = 1_350;
const signatureMs = 2_000;
const wordsPerMinute = 238;

// "Slow 4G" of Chrome's developer tools, which was "Fast 3G" until May 2024: 1.6 Mbit/s down, 750 kbit/s up, 150 ms.
const slow4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const processorTimesSlower = 4;

const repetitions = 3;
const testTimeoutMs = 1_800_000;

let scene: CheckInScene;
beforeAll(async () => {
  scene = await startCheckInScene();
});
afterAll(() => scene?.close());

declare global {
  interface Window {
    /** Milliseconds from the navigation to the first field that is drawn and answers. */
    usableAfterMs?: number;
  }
}

interface Times {
  readonly usableMs: number;
  readonly doneMs: number;
  /** What the person took of it: the rest is the page, the network and this test's own overhead. */
  readonly personMs: number;
  /** Reading every word that was shown. */
  readonly readingMs: number;
}

/** Opens a link on a slow phone, and times it. */
async function visit(
  place: object,
  fill: (person: Person) => Promise<void>,
  { browser, link }: CheckInScene = scene,
): Promise<Times> {
  const { page, complaints } = await openPage(browser, {
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
  });
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('input') === null) return;
      observer.disconnect();
      requestAnimationFrame(() =>
        setTimeout(() => {
          window.usableAfterMs = performance.now();
        }),
      );
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  const url = await link(place);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorTimesSlower });
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await heading(page).waitFor();
  const person = createPerson(page);
  await fill(person);
  await onScreen(page, 'All signed. Thank you!');
  const doneMs = performance.now() - startedAt;
  const usableMs = await page.evaluate(() => window.usableAfterMs ?? Number.NaN);
  expect(complaints).toEqual([]);
  await page.context().close();
  return { usableMs, doneMs, ...person.spent() };
}

/** Someone who uses a page at a person's pace. */
interface Person {
  readonly page: Page;
  tap(target: Locator): Promise<void>;
  /** Decides, and taps. */
  choose(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  enterDate(group: Locator, day: string): Promise<void>;
  sign(pad: Locator): Promise<void>;
  /** Looks over a screen that has come, and slides to its end. */
  lookOver(): Promise<void>;
  /** Goes on to the next screen. */
  goOn(title: string): Promise<void>;
  spent(): { readonly personMs: number; readonly readingMs: number };
}

function createPerson(page: Page): Person {
  let personMs = 0;
  let words = 0;
  const take = async (ms: number) => {
    personMs += ms;
    await page.waitForTimeout(ms);
  };
  const person: Person = {
    page,
    async tap(target) {
      await take(tapMs);
      await target.tap();
    },
    async choose(target) {
      await take(decideMs);
      await person.tap(target);
    },
    async type(field, text) {
      await person.tap(field);
      for (const character of text) {
        await take(msPerCharacter);
        await page.keyboard.insertText(character);
      }
    },
    async enterDate(group, day) {
      const [year = '', month = '', dayOfMonth = ''] = day.split('-').map((part) => String(Number(part)));
      await person.type(group.getByLabel('Day'), dayOfMonth);
      // The phone's own list opens, and closes again.
      await take(2 * tapMs);
      await group.getByLabel('Month').selectOption(month);
      await person.type(group.getByLabel('Year'), year);
    },
    async sign(pad) {
      await pad.scrollIntoViewIfNeeded();
      const box = await pad.boundingBox();
      if (box === null) throw new Error('the pad is not there');
      const y = box.y + box.height / 2;
      const steps = 20;
      await page.mouse.move(box.x + 40, y);
      await page.mouse.down();
      for (let step = 1; step <= steps; step += 1) {
        await take(signatureMs / steps);
        await page.mouse.move(box.x + 40 + step * 9, y + 40 * Math.sin(step / 1.6));
      }
      await page.mouse.up();
    },
    async lookOver() {
      const [shown = ''] = await page.locator('main').allInnerTexts();
      words += shown.split(/\s+/).length;
      await take(decideMs);
      if ((await page.evaluate(() => document.documentElement.scrollHeight)) > phone.height) {
        await take(slideMs);
      }
    },
    async goOn(title) {
      await take(tapMs);
      await goOn(page, title);
      await person.lookOver();
    },
    spent: () => ({ personMs, readingMs: (words / wordsPerMinute) * 60_000 }),
  };
  return person;
}

/** Who the guest of a personal link is: what the booking does not have. */
async function enterRest(person: Person): Promise<void> {
  const { page } = person;
  await person.enterDate(page.getByRole('group', { name: 'Date of birth' }), '1988-03-07');
  await person.type(page.getByLabel('Whom should we call'), 'Jonas Peña');
  await person.type(page.getByLabel('Their phone number'), '+43 660 1234567');
}

/** From the questions to the end. */
async function answerAndSign(person: Person): Promise<void> {
  const { page } = person;
  await person.goOn('You and the water');
  for (const swimming of await page.getByLabel('Well, also in moving water').all())
    await person.choose(swimming);
  await person.choose(page.getByRole('checkbox'));
  for (const condition of await page.getByLabel('No', { exact: true }).all()) await person.choose(condition);
  await person.goOn('The river and its risks');
  await person.type(page.getByLabel('Your initials'), 'ZB');
  await person.goOn('Read and agree');
  for (const box of await page.getByRole('checkbox').all()) {
    const isOptional = (await box.locator('xpath=..').getByText('(optional)').count()) > 0;
    if (!isOptional) await person.choose(box);
  }
  await person.goOn('Signature');
  for (const pad of await pads(page).all()) await person.sign(pad);
  await person.goOn('Is everything right?');
  await person.tap(page.getByRole('button', { name: 'Confirm and send' }));
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

function report(who: string, runs: readonly Times[]): void {
  const list = (value: (times: Times) => number) => runs.map((times) => seconds(value(times))).join(', ');
  console.log(
    `${who}: first screen after ${list(({ usableMs }) => usableMs)} s; done after ${list(({ doneMs }) => doneMs)} s, ` +
      `of which the person ${list(({ personMs }) => personMs)} s; reading every word adds ` +
      `${list(({ readingMs }) => readingMs)} s (load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores)`,
  );
}

const personalLink = { bookingId: 'BK-1001', bookingGuestId: 'G-1' };

/** Who has signed does not sign again, until staff void it. */
async function voidWaivers(): Promise<void> {
  const waivers = '/v1/pools/rafting/waivers';
  const { body } = await scene.checkIn.app('GET', `${waivers}?bookingId=BK-1001`);
  const items: { id: string }[] = body.items;
  for (const { id } of items) await scene.checkIn.app('POST', `${waivers}/${id}/void`);
}

test(
  'an adult with a link for them',
  async () => {
    const runs: Times[] = [];
    for (let run = 0; run < repetitions; run += 1) {
      runs.push(
        await visit(personalLink, async (person) => {
          await person.lookOver();
          await enterRest(person);
          await answerAndSign(person);
        }),
      );
      await voidWaivers();
    }
    report('an adult', runs);
  },
  testTimeoutMs,
);

/** From the first screen, whose name and email address are there on a personal link. */
async function signWithChildren(person: Person): Promise<void> {
  const { page } = person;
  await person.choose(page.getByLabel('Myself and children'));
  await enterRest(person);
  await person.type(page.getByLabel('Your relationship to the children'), 'Mother');
  await person.goOn('Your children');
  await person.tap(page.getByRole('button', { name: 'Add another child' }));
  for (const [title, name, born] of [
    ['Child 1', 'Max Peña', '2016-05-01'],
    ['Child 2', 'Ida Peña', '2018-05-01'],
  ] as const) {
    const child = page.getByRole('region', { name: title });
    await person.type(child.getByLabel('First and last name'), name);
    await person.enterDate(child, born);
  }
  await answerAndSign(person);
}

test(
  'a parent with two children, with a link for them',
  async () => {
    const runs: Times[] = [];
    for (let run = 0; run < repetitions; run += 1) {
      runs.push(
        await visit(personalLink, async (person) => {
          await person.lookOver();
          await signWithChildren(person);
        }),
      );
      await voidWaivers();
    }
    report('a parent with two children', runs);
  },
  testTimeoutMs,
);

test(
  'the same at the desk',
  async () => {
    const runs = [
      await visit({ desk: true }, async (person) => {
        const { page } = person;
        await person.lookOver();
        await person.type(page.getByLabel('First and last name'), 'Ana Peña');
        await person.type(page.getByLabel('Email address'), 'ana@example.com');
        await signWithChildren(person);
      }),
    ];
    report('a parent with two children at the desk', runs);
  },
  testTimeoutMs,
);

test(
  'a guest who returns, with a link for them',
  async () => {
    const [example] = exampleForms;
    if (example === undefined) throw new Error('there is no example of a form');
    const returning = await startCheckInScene({}, { ...example.content, validity: { days: 365 } });
    const { app, guest, signing, system } = returning.checkIn;
    await app('GET', '/v1/pools/rafting/bookings/BK-1001');
    const desk = await guest({ desk: true });
    expect((await desk('POST', '/check-in/api/signings', signing(['1990-02-28']))).status).toBe(201);
    const booking = system.bookings.get('BK-1001');
    if (booking === undefined) throw new Error('there is no BK-1001');
    const runs: Times[] = [];
    for (let run = 0; run < repetitions; run += 1) {
      const id = `BK-return-${run}`;
      const guests = [{ id: 'G-1', name: 'Zoë Bäcker', email: 'zoe@example.com' }];
      system.bookings.add({ ...booking, id, pax: 1, guests });
      const confirm = async (person: Person) => {
        const { page } = person;
        await onScreen(page, 'Is everything still right?');
        await page.getByText('Valid until').waitFor();
        await person.lookOver();
        await person.choose(page.getByLabel('No, nothing has changed'));
        await person.tap(page.getByRole('button', { name: 'Yes, confirm' }));
      };
      runs.push(await visit({ bookingId: id, bookingGuestId: 'G-1' }, confirm, returning));
    }
    report('a guest who returns', runs);
    await returning.close();
  },
  testTimeoutMs,
);
