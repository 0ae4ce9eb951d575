import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { exampleForms } from '@waiver-service/forms/examples';
import { makeLink, publishForm, type TestCaller, textAt } from '@waiver-service/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  agree,
  type CheckInScene,
  draw,
  enterDate,
  enterWater,
  enterWho,
  goOn,
  pads,
  send,
  startCheckInScene,
} from '../harness/check-in-page.ts';
import { openTestPage } from '../harness/console-page.ts';
import type { TestHost } from '../harness/test-host.ts';

/** Where the pictures of the docs are written; they are not taken otherwise. */
const folder = process.env.WAIVER_SERVICE_SCREENSHOTS;
const viewport = { width: 320, height: 640 };

test.runIf(folder !== undefined)('the pictures of the docs', async () => {
  const scene = await startCheckInScene();
  const { host, system } = scene.checkIn;
  const pool = 'alpine-rafting';
  const app = await host.makePool(pool, { name: 'Alpine Rafting', timeZone: 'Europe/Berlin' });
  await host.connect('standard', system, pool);
  await publishForm(host, pool);
  mkdirSync(folder ?? '', { recursive: true });
  await readToday(scene, app, pool);
  const returning = await linkOfReturning(scene);
  const { page } = await openTestPage(scene.browser, { viewport, deviceScaleFactor: 2 });
  await page.goto(`${host.url}/check-in/${await makeLink(app, pool, { bookingId: 'BK-1002' })}`);
  await takeAll(page);
  await takeReturning(page, returning);
  await takeInvitation(host, page);
  await page.context().close();
  await takeKiosk(scene, pool);
  await scene.close();
});

/** The personal link of a guest who signed before, in a pool whose form is valid for a year. */
async function linkOfReturning({ checkIn }: CheckInScene): Promise<string> {
  const { host, system, signing } = checkIn;
  const [example] = exampleForms;
  const [first] = system.bookings.all;
  if (example === undefined || first === undefined) throw new Error('there is no example');
  const pool = 'alpine-rafting-all-year';
  const app = await host.makePool(pool, { name: 'Alpine Rafting', timeZone: 'Europe/Berlin' });
  await host.connect('standard', system, pool);
  const { form, version } = await publishForm(host, pool, { ...example.content, validity: { days: 365 } });
  const desk = host.as(await makeLink(app, pool, { desk: true }));
  const signed = await desk('POST', '/check-in/api/signings', { ...signing(['1990-02-28']), form, version });
  expect(signed.status).toBe(201);
  const guests = [{ id: 'G-1', name: 'Zoë Bäcker', email: 'zoe@example.com' }];
  system.bookings.add({ ...first, id: 'BK-4001', pax: 1, guests });
  return `${host.url}/check-in/${await makeLink(app, pool, { bookingId: 'BK-4001', bookingGuestId: 'G-1' })}`;
}

async function takeReturning(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('No, nothing has changed').check();
  await page.evaluate(() => scrollTo(0, 0));
  const file = join(folder ?? '', `check-in-returning.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide', fullPage: true });
}

/** The message that asks a guest to sign, as a mail program shows it. */
async function takeInvitation({ admin }: TestHost, page: Page): Promise<void> {
  const path = '/v1/admin/pools/alpine-rafting/invitations/preview';
  const { body } = await admin('POST', path, { language: 'en' });
  await page.goto('about:blank');
  await page.setContent(textAt(body, 'html'));
  const file = join(folder ?? '', `check-in-invitation.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
}

/** Has some bookings of today read, for the list of a kiosk. */
async function readToday({ checkIn }: CheckInScene, app: TestCaller, pool: string): Promise<void> {
  const { host, system } = checkIn;
  const [first] = system.bookings.all;
  if (first === undefined) throw new Error('the booking system has no booking');
  const startsAt = `${new Date().toISOString().slice(0, 10)}T12:00:00Z`;
  for (const [index, names] of [
    ['Zoë Bäcker', 'Max Bäcker', 'Ida Bäcker'],
    ['Jonas Peña'],
    ['Siobhán Ní Dhúill', 'Aoife Ní Dhúill'],
  ].entries()) {
    const id = `BK-300${index + 1}`;
    const guests = names.map((name, guest) => ({ id: `G-${guest + 1}`, name }));
    const session = { startsAt, endsAt: startsAt, activityId: 'raft', activityName: 'Rafting' };
    system.bookings.add({ ...first, id, pax: names.length, guests, bookedSessions: [session] });
    await host.as(await makeLink(app, pool, { bookingId: id }))('GET', '/check-in/api/session');
  }
}

/** A tablet at the desk, on a day with some bookings, and without signal. */
async function takeKiosk(scene: CheckInScene, pool: string): Promise<void> {
  const { host } = scene.checkIn;
  const made = await host.admin('POST', `/v1/admin/pools/${pool}/kiosks`, { name: 'Desk', pin: '2468' });
  const options = { viewport: { width: 1024, height: 720 } };
  const { page } = await openTestPage(scene.browser, options);
  await page.goto(`${host.url}/check-in/kiosk`);
  await page.getByLabel('Code').fill(String(made.body.code));
  await page.getByRole('button', { name: 'Pair' }).click();
  await page.getByRole('button', { name: /Jonas P/ }).waitFor();
  await page.mouse.move(0, 0);
  const path = join(folder ?? '', 'check-in-kiosk-start.png');
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await page.context().close();
}

async function takeAll(page: Page): Promise<void> {
  const take = async (name: string) => {
    await page.mouse.move(0, 0);
    await page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : 0,
    );
    const path = join(folder ?? '', `check-in-${name}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  };
  const toTop = () => page.evaluate(() => scrollTo(0, 0));
  await page.getByLabel('Myself and children').check();
  await enterWho(page);
  await page.getByLabel('Your relationship to the children').fill('Mother');
  await toTop();
  await take('who');
  await goOn(page, 'Your children');
  await page.getByLabel('First and last name').fill('Ida Peña');
  await enterDate(page.getByRole('group', { name: 'Date of birth' }), '2018-05-01');
  await goOn(page, 'You and the water');
  await enterWater(page);
  await toTop();
  await take('questions');
  await goOn(page, 'The river and its risks');
  await page.getByLabel('Your initials').fill('AP');
  await goOn(page, 'Read and agree');
  await agree(page);
  await goOn(page, 'Signature');
  for (const pad of await pads(page).all()) await draw(page, pad);
  await toTop();
  await take('signature');
  await goOn(page, 'Is everything right?');
  await take('check');
  await send(page);
  await take('done');
}
