import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CheckInScene, startCheckInScene } from '../harness/check-in-page.ts';
import { type ConsolePage, openConsole } from '../harness/console-page.ts';

const pool = 'rafting';

let scene: CheckInScene;
const opened: ConsolePage[] = [];

/** Bookings of today, wherever the pool is. */
function addBooking(id: string, booker: string, names: readonly string[], activityName = 'Rafting'): void {
  const startsAt = new Date().toISOString();
  scene.checkIn.system.bookings.add({
    id,
    status: 'Active',
    contact: { name: booker, phoneNumber: '+43 512 123456' },
    pax: names.length,
    notes: id === 'BK-A' ? 'Vegetarian lunch' : null,
    guests: names.map((name, index) => ({ id: `G-${index + 1}`, name })),
    bookedSessions: [{ startsAt, endsAt: startsAt, activityId: activityName.toLowerCase(), activityName }],
  });
}

beforeAll(async () => {
  scene = await startCheckInScene();
  addBooking('BK-A', 'Ann Booker', ['Zoë Bäcker', 'Ida Bäcker', 'Noah Becker']);
  addBooking('BK-B', 'Jürgen Größl', ['Mateo García', 'Yuki Tanaka'], 'Kayak');
  for (const id of ['BK-A', 'BK-B']) await scene.checkIn.app('GET', `/v1/pools/${pool}/bookings/${id}`);
});
afterEach(() => {
  for (const { complaints } of opened.splice(0)) expect(complaints).toEqual([]);
});
afterAll(() => scene?.close());

async function board(options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
  const { page, ...rest } = await openConsole(
    scene.browser,
    scene.checkIn.host,
    options,
    `/day?pool=${pool}`,
  );
  opened.push({ page, ...rest });
  await page.getByRole('heading', { level: 1, name: 'Day board' }).waitFor();
  return page;
}

const booking = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 4, name: id }) });
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `${name} has arrived` });

test('a guest who is ticked and unticked at once has not arrived, however long the first takes', async () => {
  const page = await board();
  const stored: boolean[] = [];
  await page.route('**/arrivals', async (route) => {
    const { arrived } = route.request().postDataJSON();
    if (arrived) await page.waitForTimeout(500);
    await route.fulfill({ response: await route.fetch() });
    stored.push(arrived);
  });
  const guest = tick(page, 'Noah Becker');
  await guest.focus();
  await page.keyboard.press('Space');
  expect(await guest.isChecked()).toBe(true);
  await page.keyboard.press('Space');
  expect(await guest.isChecked()).toBe(false);
  await expect.poll(() => stored).toEqual([true, false]);
  expect(await guest.isChecked()).toBe(false);
});

test('a tick that waits for the network is stored on its own day, whichever is shown by then', async () => {
  const page = await board();
  const guest = tick(page, 'Noah Becker');
  await guest.waitFor();
  const next = page.getByRole('button', { name: 'Next day' });
  const noBookings = page.getByText('No bookings on this day');
  await next.click();
  await noBookings.waitFor();
  const tomorrow = new URL(page.url()).searchParams.get('date') ?? '';
  await page.getByRole('button', { name: 'Today' }).click();
  await guest.waitFor();
  await page.context().setOffline(true);
  await guest.focus();
  await page.keyboard.press('Space');
  await next.click();
  await noBookings.waitFor();
  const storing = page.waitForRequest((request) => request.method() === 'PUT');
  await page.context().setOffline(false);
  const stored = await storing;
  expect(stored.url()).toContain('/bookings/BK-A/arrivals');
  expect(stored.url()).not.toContain(tomorrow);
  expect((await stored.response())?.status()).toBeLessThan(300);
  await page.getByRole('button', { name: 'Today' }).click();
  await expect.poll(() => guest.isChecked()).toBe(true);
  await guest.focus();
  await page.keyboard.press('Space');
  await booking(page, 'BK-A').getByText('0 of 3 here').waitFor();
});

test('a pool without a form, a booking system or a booking says what to do', async () => {
  await scene.checkIn.host.makePool('empty');
  const page = await board();
  await page.goto(`${scene.checkIn.host.url}/console/day?pool=empty`);
  await page.getByText('This pool has no published form').waitFor();
  await page.getByText('No booking system is installed').waitFor();
  await page.goto(`${scene.checkIn.host.url}/console/pools/empty`);
  const desk = page.getByRole('region', { name: 'Desk' });
  await desk.getByText('This pool has no published form').waitFor();
  await page.goto(`${scene.checkIn.host.url}/console/day?pool=${pool}&date=2027-01-01`);
  await page.getByText('No bookings on this day').waitFor();
  await page.getByRole('button', { name: 'Next day' }).click();
  await page.getByRole('heading', { level: 2, name: /^Saturday,? 2 January 2027$/ }).waitFor();
  await page.getByRole('button', { name: 'Today' }).click();
  await tick(page, 'Noah Becker').waitFor();
  expect(page.url()).not.toContain('date=');
});
