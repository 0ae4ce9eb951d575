import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { exampleForms } from '@waiver-service/forms/examples';
import { signed } from '@waiver-service/forms/testing';
import {
  type SimulatedBookingSystem,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
} from '@waiver-service/simulator';
import {
  makeLink,
  type PublishedExample,
  publishForm,
  startSystemFor,
  textAt,
  until,
} from '@waiver-service/testing';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { startBrowser } from '../harness/browser.ts';
import { closeByEscape, openConsole, settled } from '../harness/console-page.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

/** Where the pictures of the docs are written; they are not taken otherwise. */
const folder = process.env.WAIVER_SERVICE_SCREENSHOTS;

const pool = 'alpine-rafting';
const waivers = `/v1/pools/${pool}/waivers`;
const viewport = { width: 1120, height: 640 };
const dayPath = `/day?pool=${pool}&date=2027-07-03`;
const tallSize = { width: 1120, height: 1120 };
const editorSize = { width: 1400, height: 900 };
const phone = { width: 360, height: 740 };

const guests = [
  'Zoë Bäcker',
  '李小龍',
  'Siobhán Ní Dhúaill',
  'Ana Peña',
  'Łukasz Wójcik',
  'Ægir Þórsson',
  'Amélie Roux',
  'Noah Becker',
  'Ingrid Østby',
  'Mateo García',
  'Yuki Tanaka',
  'Jürgen Größl',
];

/** The part of a long page to show, by its name. */
const below: Readonly<Record<string, string>> = { waiver: 'Versions', delivery: 'Lane' };

interface Parts {
  readonly host: TestHost;
  readonly system: SimulatedBookingSystem;
  readonly receiver: SimulatedWebhookReceiver;
}

/** Furnishes a host as an operator might have it: waivers that arrived, and a webhook that has begun to refuse. */
async function furnish({ host, system, receiver }: Parts) {
  const { admin } = host;
  const app = await host.makePool(pool, { name: 'Alpine Rafting' });
  await host.makePool('lakeside-kayaks', { name: 'Lakeside Kayaks' });
  await host.connect('standard', system, pool);
  const tokens = `/v1/admin/pools/${pool}/access-tokens`;
  await admin('POST', tokens, { name: 'Tablet at the desk', scopes: ['bookings:read', 'waivers:write'] });
  const webhook = { url: receiver.url, auth: { type: 'none' }, properties: ['name'], signing: true };
  await admin('POST', `/v1/admin/pools/${pool}/webhooks`, webhook);
  for (const [name, role] of [
    ['Maria Huber', 'owner'],
    ['Front desk', 'operator'],
    ['Accounting', 'viewer'],
  ]) {
    await admin('POST', '/v1/admin/credentials', {
      name,
      role,
      ...(role === 'operator' ? { pools: [pool] } : {}),
    });
  }
  const events = ['delivery.dead', 'destination.failing', 'destination.recovered'];
  const alert = { name: 'On-call channel', url: receiver.url, auth: { type: 'none' }, signing: true, events };
  await admin('POST', '/v1/admin/alerts', alert);
  const ids: string[] = [];
  for (const [index, name] of guests.entries()) {
    if (index === guests.length - 1) {
      const body = 'The server is being upgraded.';
      receiver.faults.always('webhook', { kind: 'status', status: 503, body });
    }
    const booking = { bookingId: 'BK-1001', bookingGuestId: `G-${index + 1}` };
    const { body } = await app('POST', waivers, {
      ...(index < 2 ? booking : {}),
      ...(index === 7 ? { currentPage: 'medical' } : {}),
      answers: { name, email: `guest${index + 1}@example.com`, shoeSize: 36 + index },
    });
    ids.push(textAt(body, 'id'));
    await host.admin('GET', `/v1/pools/${pool}/bookings/BK-100${(index % 3) + 1}`);
  }
  const [changed = '', , , voided = '', held = ''] = ids;
  await admin('PATCH', `${waivers}/${changed}`, { answers: { shoeSize: 39, notes: 'Asked for a wetsuit' } });
  await admin('POST', `${waivers}/${voided}/void`);
  await admin('PUT', `/v1/admin/pools/${pool}/waivers/${held}/hold`, { reason: 'A claim is open' });
  const form = await publishForm(host, pool, undefined, 'Rafting');
  const { content } = form;
  const [about, ...others] = content.pages;
  const [name, ...questions] = about?.items ?? [];
  const label = { en: 'First and last name, as in your passport' };
  await admin('PUT', `/v1/admin/pools/${pool}/forms/${form.form}/draft`, {
    ...content,
    pages: [{ ...about, items: [{ ...name, label }, ...questions] }, ...others],
  });
  await publishForm(host, pool, exampleForms[5]?.content, 'Riding');
  const failing = await until(async () => {
    const { body } = await admin('GET', `/v1/admin/deliveries?state=waiting&waiverId=${ids.at(-1)}`);
    const id: unknown = body.items[0]?.id;
    if (typeof id !== 'string') return undefined;
    const delivery = await admin('GET', `/v1/admin/deliveries/${id}`);
    return delivery.body.attempts.length > 1 ? id : undefined;
  }, 'a delivery that was refused twice');
  return { changed, failing, form };
}

const sessionOf = (hour: number, activityName: string) => ({
  startsAt: `2027-07-03T${String(hour).padStart(2, '0')}:30:00Z`,
  endsAt: `2027-07-03T${String(hour + 3).padStart(2, '0')}:30:00Z`,
  activityId: activityName.toLowerCase(),
  activityName,
});

/** A Saturday in summer: two tours, of which one is about to leave, and a walk-in. */
async function furnishDay({ host, system }: Pick<Parts, 'host' | 'system'>, form: PublishedExample) {
  const { admin } = host;
  const rafting = sessionOf(7, 'Rafting on the Inn');
  const canyon = sessionOf(11, 'Canyoning');
  for (const [id, session, booker, names, notes] of [
    ['BK-2041', rafting, 'Zoë Bäcker', ['Zoë Bäcker', 'Jonas Bäcker', 'Ida Bäcker'], 'Arrive by train'],
    ['BK-2044', rafting, 'Siobhán Ní Dhúaill', ['Siobhán Ní Dhúaill', 'Łukasz Wójcik'], null],
    ['BK-2047', canyon, 'Mateo García', ['Mateo García', 'Yuki Tanaka', 'Ingrid Østby', 'Noah Becker'], null],
    ['BK-2052', canyon, 'Gymnasium Innsbruck', [], '8b, two teachers'],
  ] as const) {
    system.bookings.add({
      id,
      status: 'Active',
      contact: { name: booker },
      pax: names.length === 0 ? 6 : names.length,
      notes,
      guests: names.map((name, index) => ({ id: `G-${index + 1}`, name })),
      bookedSessions: [session],
    });
    await admin('GET', `/v1/pools/${pool}/bookings/${id}`);
  }
  for (const [bookingId, index, change] of [
    ['BK-2041', 1, {}],
    ['BK-2041', 2, {}],
    ['BK-2041', 3, {}],
    ['BK-2044', 2, { currentPage: 'medical' }],
    ['BK-2047', 1, {}],
    ['BK-2047', 3, {}],
  ] as const) {
    const answers = { name: `Guest ${index}` };
    await admin('POST', waivers, { bookingId, bookingGuestId: `G-${index}`, answers, ...change });
  }
  // One whose answer is to note.
  const guest = host.as(await makeLink(admin, pool, { bookingId: 'BK-2044', bookingGuestId: 'G-1' }));
  const filled = signed(form.content, ['1988-04-01'], { pick: (count) => count - 1 });
  const [answered] = filled.guests;
  const signer = { ...answered, bookingGuestId: 'G-1' };
  const signing = { ...filled, ...form, content: undefined, id: crypto.randomUUID(), guests: [signer] };
  const { status, text } = await guest('POST', '/check-in/api/signings', signing);
  if (status !== 201) throw new Error(text);
  const lastVisit = '2027-07-03T06:50:00Z';
  await admin('POST', waivers, { lastVisit, answers: { name: 'Ana Peña' } });
  const day = `/v1/admin/pools/${pool}/days/2027-07-03`;
  for (const [bookingId, guests] of [
    ['BK-2041', ['guest:G-1', 'guest:G-2', 'guest:G-3']],
    ['BK-2044', ['guest:G-1']],
  ] as const) {
    await admin('PUT', `${day}/bookings/${bookingId}/arrivals`, {
      bookingSystem: 'standard',
      guests,
      arrived: true,
    });
  }
}

/** Two guests sign, at the desk. @returns the waiver of the first */
async function signAtDesk(host: TestHost, form: PublishedExample): Promise<string> {
  const id = crypto.randomUUID();
  const filled = signed(form.content, ['1990-02-28', '2014-05-06']);
  const [parent, child] = filled.guests;
  const named = { ...child, answers: { ...child?.answers, name: 'Ida Bäcker' } };
  const signing = { ...filled, ...form, content: undefined, id, guests: [parent, named] };
  const guest = host.as(await makeLink(host.admin, pool, { desk: true }));
  await guest('POST', '/check-in/api/signings', signing);
  const waiver = `${id}-1`;
  await until(async () => {
    const { body } = await host.admin('GET', `/v1/admin/pools/${pool}/waivers/${waiver}/signing`);
    return body.seal.number ?? undefined;
  }, 'a sealed record');
  return waiver;
}

test.runIf(folder !== undefined)('the pictures of the docs', async () => {
  const [host, browser, system, receiver] = await Promise.all([
    startTestHost({ RETRY_SCHEDULE: '0s,1s,1h' }),
    startBrowser(),
    startSystemFor('standard'),
    startWebhookReceiver(),
  ]);
  mkdirSync(folder ?? '', { recursive: true });
  const take = async (page: Page, name: string) => {
    await settled(page);
    const path = join(folder ?? '', `console-${name}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  };
  const go = async (page: Page, path: string) => {
    await page.goto(`${host.url}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };

  const first = await openConsole(browser, host, { viewport });
  await go(first.page, '/start');
  await take(first.page, 'start');
  await first.page.context().close();

  const { changed, failing, form } = await furnish({ host, system, receiver });
  await furnishDay({ host, system }, form);
  const pages = {
    overview: '/',
    booking: `/bookings?pool=${pool}&id=BK-1001`,
    waiver: `/waivers/${pool}/${changed}?pool=${pool}`,
    delivery: `/deliveries/${failing}?pool=${pool}`,
    destinations: `/destinations?pool=${pool}`,
    pool: `/pools/${pool}`,
    'booking-systems': '/booking-systems',
    people: '/people',
    audit: '/audit',
  };
  const onPhone = await openConsole(browser, host, { viewport: phone });
  await go(onPhone.page, dayPath);
  await take(onPhone.page, 'day-phone');
  await onPhone.page.context().close();
  const { page } = await openConsole(browser, host, { viewport });
  for (const [name, path] of Object.entries(pages)) {
    await go(page, path);
    await settled(page);
    const region = below[name];
    if (region !== undefined) {
      await page.getByRole('region', { name: region }).evaluate((element) => element.scrollIntoView(false));
    }
    await take(page, name);
  }
  await page.setViewportSize(tallSize);
  await go(page, dayPath);
  await take(page, 'day');
  await page.setViewportSize(editorSize);
  await go(page, `/forms/${pool}/${form.form}?pool=${pool}`);
  await page.getByRole('button', { name: /^Question First and last name/ }).click();
  await page.getByRole('region', { name: 'Page 1' }).evaluate((element) => element.scrollIntoView());
  await take(page, 'form');
  await go(page, `/forms/${pool}/${form.form}/versions?pool=${pool}`);
  await take(page, 'form-versions');
  await page.setViewportSize(viewport);
  await go(page, `/pools/${pool}`);
  const systems = page.getByRole('region', { name: 'Booking systems' });
  const dialog = page.getByRole('dialog');
  await systems.getByRole('button', { name: 'Test' }).click();
  await dialog.getByLabel('Booking id').fill('BK-1001');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText(/It works/).waitFor();
  await take(page, 'test');
  await closeByEscape(page, dialog);
  await systems.getByRole('button', { name: 'Check', exact: true }).click();
  await dialog.getByLabel('Booking id').fill('BK-1001');
  await dialog.getByRole('button', { name: 'Start the check' }).click();
  await dialog.getByText('It follows the contract').waitFor();
  await take(page, 'check');
  const waiver = await signAtDesk(host, form);
  await go(page, `/waivers/${pool}/${waiver}?pool=${pool}`);
  await page.getByRole('region', { name: 'Signing' }).evaluate((element) => {
    element.scrollIntoView(true);
    // The bar at the top stays.
    scrollBy(0, -64);
  });
  await take(page, 'signing');
  await browser.close();
  await Promise.all([host.close(), system.close(), receiver.close()]);
});
