import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { until } from '@waiver-service/testing';
import { startMailServer } from '@waiver-service/testing/mail';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckInScene, onScreen, startCheckInScene } from '../harness/check-in-page.ts';
import { expectAccessible, isFocused, tabTo } from '../harness/console-page.ts';

/** The first example, valid for a year, and with its English texts in Arabic, too: the page's own are Arabic. */
const content: FormContent = JSON.parse(JSON.stringify(exampleForms[0]?.content), (name, value) => {
  if (name === 'languages') return [...value, 'ar'];
  if (name === 'validity') return { days: 365 };
  return typeof value === 'object' && value !== null && typeof value.en === 'string'
    ? { ...value, ar: value.en }
    : value;
});

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let scene: CheckInScene;
const narrow = { width: 320, height: 640 };

beforeAll(async () => {
  mailServer = await startMailServer();
  const variables = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, ALERT_FROM: 'waivers@example.com' };
  scene = await startCheckInScene(variables, content);
  await scene.checkIn.app('GET', '/v1/pools/rafting/bookings/BK-1001');
});

afterAll(async () => {
  await scene?.close();
  await mailServer?.close();
});

/** The mails with a code: others have the link to a copy. */
const codeMails = () => mailServer.mails.filter(({ raw }) => /^Subject: \d{6}/m.test(raw));

async function signAtDesk(born: readonly string[]): Promise<string> {
  const desk = await scene.checkIn.guest({ desk: true });
  const signing = scene.checkIn.signing(born);
  expect((await desk('POST', '/check-in/api/signings', signing)).status).toBe(201);
  return signing.id;
}

async function expectFine(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

test('a guest with a code confirms for all of two signings, by keyboard, and again after a lost answer', async () => {
  await signAtDesk(['1985-11-30']);
  await signAtDesk(['1990-02-28', '2014-05-06']);
  const { page } = await scene.open({ bookingId: 'BK-1001' }, { viewport: narrow });
  const { keyboard } = page;
  await tabTo(page, page.getByRole('button', { name: 'I have been here before' }));
  await keyboard.press('Enter');
  await onScreen(page, 'Welcome back');
  await expectFine(page);
  const email = page.getByLabel('Your e-mail address');
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByText('Please enter an e-mail address.').waitFor();
  await email.fill('Zoe@example.com');
  await keyboard.press('Enter');
  await onScreen(page, 'Enter the code');
  expect(await isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
  await expectFine(page);
  const mail = await until(async () => codeMails()[0], 'the mail');
  const code = /^Subject: (\d{6})/m.exec(mail.raw)?.[1] ?? '';
  const field = page.getByLabel('Code from the mail');
  await field.fill(code === '111111' ? '222222' : '111111');
  await keyboard.press('Enter');
  await page.getByText('This code is not right.').waitFor();
  await field.fill(code);
  await keyboard.press('Enter');

  await onScreen(page, 'Is everything still right?');
  await page.getByRole('button', { name: 'Yes, confirm' }).click();
  await page.getByText('Please choose who comes.').waitFor();
  // The form's example gives both the same name.
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  const inBooking = page.getByLabel('Zoë Bäcker in the booking');
  await expect.poll(() => inBooking.count()).toBe(3);
  const [mine, child] = await inBooking.all();
  // Who does not come leaves their guest of the booking to another.
  await mine?.selectOption('Zoë B.');
  await page.getByRole('checkbox').first().uncheck();
  await expect.poll(() => inBooking.count()).toBe(2);
  await mine?.selectOption('Zoë B.');
  await page.getByRole('checkbox').first().check();
  await expect.poll(() => inBooking.count()).toBe(3);
  expect(await mine?.inputValue()).toBe('');
  expect(await child?.inputValue()).toBe('G-1');
  await child?.selectOption('');
  await mine?.selectOption('Zoë B.');
  await child?.selectOption({ index: 2 });
  await page.getByText('Your answers then: Zoë Bäcker').first().click();
  await page.getByText('28 February 1990').waitFor();
  await page.getByText('Read again what was signed').first().click();
  await page.getByText('What can happen').waitFor();
  await page.getByText('as their parent or guardian').waitFor();
  await expectFine(page);
  await page.getByRole('button', { name: 'Yes, confirm' }).click();
  await page.getByText('Please answer this, too.').waitFor();
  await page.getByLabel('No, nothing has changed').check();
  // Each is stored, and the second answer is lost on its way.
  const sent: string[] = [];
  await page.route('**/check-in/api/reuses', async (route) => {
    sent.push(route.request().postData() ?? '');
    if (sent.length !== 2) return route.continue();
    expect((await route.fetch()).status()).toBe(201);
    return route.abort();
  });
  await page.getByRole('button', { name: 'Yes, confirm' }).click();
  await expect.poll(() => sent.length).toBe(2);
  await page.locator('.note.trouble').waitFor();
  await page.getByRole('button', { name: 'Yes, confirm' }).click();
  await onScreen(page, 'All signed. Thank you!');
  expect(sent.slice(2)).toEqual([sent[1]]);
  // Of each earlier signing.
  const copies = await page.getByRole('link', { name: 'Open your copy' }).all();
  const urls = await Promise.all(copies.map((copy) => copy.getAttribute('href')));
  const opened = await Promise.all(urls.map(async (url) => (await fetch(url ?? '')).status));
  expect([new Set(urls).size, opened]).toEqual([2, [200, 200]]);
  const { body } = await scene.checkIn.app('GET', '/v1/pools/rafting/bookings/BK-1001');
  expect(body.waivers.signed).toBe(3);
  await page.context().close();

  // Neither is named as the guest of a link: who of them it is, if any, is chosen.
  const booking = scene.checkIn.system.bookings.get('BK-1001');
  if (booking === undefined) throw new Error('there is no BK-1001');
  scene.checkIn.system.bookings.add({ ...booking, id: 'BK-Li', guests: [{ id: 'G-1', name: 'Li Wei' }] });
  const li = await scene.open({ bookingId: 'BK-Li', bookingGuestId: 'G-1' });
  await li.page.getByRole('button', { name: 'I have been here before' }).click();
  await li.page.getByLabel('Your e-mail address').fill('Zoe@example.com');
  await li.page.getByRole('button', { name: 'Send the code' }).click();
  const second = await until(async () => codeMails()[1], 'the second mail');
  await li.page.getByLabel('Code from the mail').fill(/^Subject: (\d{6})/m.exec(second.raw)?.[1] ?? '');
  await li.page.keyboard.press('Enter');
  await onScreen(li.page, 'Is everything still right?');
  await li.page.getByRole('checkbox').first().waitFor();
  for (const box of await li.page.getByRole('checkbox').all()) await box.check();
  const [first, other] = await li.page.getByLabel('Zoë Bäcker in the booking').all();
  expect(await first?.inputValue()).toBe('');
  await other?.selectOption('Li W.');
  await li.page.context().close();
});

/** Signs with a separate e-mail address, so that no other test requests codes for it. */
async function signWith(email: string): Promise<void> {
  const desk = await scene.checkIn.guest({ desk: true });
  const signing = scene.checkIn.signing(['1979-06-21']);
  const signer = { ...signing.signer, answers: { ...signing.signer.answers, email } };
  expect((await desk('POST', '/check-in/api/signings', { ...signing, signer })).status).toBe(201);
}

async function askForCode(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'I have been here before' }).click();
  await page.getByLabel('Your e-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await onScreen(page, 'Enter the code');
}

/** Enters the code that was mailed to an address. */
async function enterCode(page: Page, email: string): Promise<void> {
  const findMail = async () => codeMails().find(({ to }) => to.includes(email));
  const mail = await until(findMail, `the mail to ${email}`);
  await page.getByLabel('Code from the mail').fill(/^Subject: (\d{6})/m.exec(mail.raw)?.[1] ?? '');
  await page.keyboard.press('Enter');
}

const kept = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

test('a guest types the code into a page that was closed while they read their mail', async () => {
  const email = 'ana@example.com';
  await signWith(email);
  const { page } = await scene.open({ bookingId: 'BK-1001' });
  await askForCode(page, email);
  await expect.poll(() => kept(page)).toContain(email);
  const url = page.url();
  const tab = await page.context().newPage();
  await page.close();
  await tab.goto(url);
  await onScreen(tab, 'Enter the code');
  await tab.getByText(email).waitFor();
  await enterCode(tab, email);
  await onScreen(tab, 'Is everything still right?');
  await expect.poll(() => kept(tab)).not.toContain(email);
});

/** Presses a button several times before the page can render. */
const pressOften = (page: Page, name: string) =>
  page.getByRole('button', { name }).evaluate((button) => {
    if (button instanceof HTMLElement) for (let press = 0; press < 4; press += 1) button.click();
  });

test('several presses at once ask for one code, and confirm once', async () => {
  const email = 'cleo@example.com';
  await signWith(email);
  const { page } = await scene.open({ desk: true });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await page.getByRole('button', { name: 'I have been here before' }).click();
  await page.getByLabel('Your e-mail address').fill(email);
  await pressOften(page, 'Send the code');
  await onScreen(page, 'Enter the code');
  await enterCode(page, email);
  await onScreen(page, 'Is everything still right?');
  await page.getByLabel('No, nothing has changed').check();
  await pressOften(page, 'Yes, confirm');
  await onScreen(page, 'All signed. Thank you!');
  expect(sent.filter((path) => /codes$|reuses$/.test(path))).toEqual([
    '/check-in/api/returning/codes',
    '/check-in/api/reuses',
  ]);
});
