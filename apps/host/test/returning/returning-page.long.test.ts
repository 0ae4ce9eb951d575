import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CheckInScene,
  controlsToFillIn,
  goOn,
  onScreen,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { expectAccessible, keepIntercepting } from '../harness/console-page.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { until } from '../harness/test-host.ts';

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

test('a guest at the desk can sign instead, and start again after someone who left', async () => {
  const email = 'bo@example.com';
  await signWith(email);
  const { page } = await scene.open({ desk: true });
  await page.getByRole('button', { name: 'I have been here before' }).click();
  await page.getByLabel('Your e-mail address').waitFor();
  expect(await controlsToFillIn(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign again instead' }).click();
  await onScreen(page, 'Who are you?');
  await askForCode(page, email);
  await enterCode(page, email);
  await onScreen(page, 'Is everything still right?');
  await page.getByRole('button', { name: 'Yes, confirm' }).waitFor();
  await page.getByRole('button', { name: 'Sign again instead' }).waitFor();
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByRole('button', { name: 'Delete and start again' }).click();
  await onScreen(page, 'Who are you?');
  expect(await page.getByLabel('First and last name').inputValue()).toBe('');
  expect(await page.getByText('Zoë').count()).toBe(0);
  await page.context().close();
});

test('a guest with their own link is asked at once; what has changed is signed again, filled in', async () => {
  const erasures = '/v1/admin/pools/rafting/erasures';
  const { body } = await scene.checkIn.host.admin('POST', erasures, { email: 'zoe@example.com' });
  const isDone = async () => {
    const erasure = await scene.checkIn.host.admin('GET', `${erasures}/${body.id}`);
    return erasure.body.state === 'done' || undefined;
  };
  await until(isDone, 'the erasure');
  await signAtDesk(['1990-02-28']);
  const booking = scene.checkIn.system.bookings.get('BK-1001');
  if (booking === undefined) throw new Error('there is no BK-1001');
  const guests = [{ id: 'G-1', name: 'Zoë Bäcker', email: 'zoe@example.com' }];
  scene.checkIn.system.bookings.add({ ...booking, id: 'BK-own', pax: 1, guests });
  const place = { bookingId: 'BK-own', bookingGuestId: 'G-1' };
  const arabic = await scene.open(place, { viewport: narrow, locale: 'ar' });
  await onScreen(arabic.page, 'هل ما زال كل شيء صحيحًا؟');
  await arabic.page.getByText('Zoë Bäcker').first().waitFor();
  expect(await arabic.page.evaluate(() => document.documentElement.dir)).toBe('rtl');
  await expectFine(arabic.page);
  await arabic.page.context().close();

  const { page, complaints } = await scene.open(place);
  await onScreen(page, 'Is everything still right?');
  // No question is confirmed in another language than the page's, and a late answer is dropped.
  const held: Route[] = [];
  await keepIntercepting(page);
  await page.route('**/check-in/api/returning/people', (route) => void held.push(route), { times: 1 });
  await page.getByLabel('Language').selectOption('de');
  await onScreen(page, 'Stimmt noch alles?');
  expect(await page.getByRole('button', { name: 'Ja, bestätigen' }).count()).toBe(0);
  await expect.poll(() => held.length).toBe(1);
  await page.getByLabel('Sprache').selectOption('en');
  const question = page.getByText('Is what was answered and signed');
  await question.waitFor();
  const [late] = held;
  await late?.fulfill({ response: await late.fetch() });
  await (await late?.request().response())?.finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(await question.isVisible()).toBe(true);
  await page.getByRole('button', { name: 'No, something has changed' }).click();
  await onScreen(page, 'Who are you?');
  expect(await page.getByLabel('First and last name').inputValue()).toBe('Zoë Bäcker');
  expect(await page.getByLabel('Year').inputValue()).toBe('1990');
  await goOn(page, 'You and the water');
  // Health answers are asked again.
  expect(await page.getByLabel('No', { exact: true }).first().isChecked()).toBe(false);
  expect(complaints).toEqual([]);
  await page.context().close();
});
