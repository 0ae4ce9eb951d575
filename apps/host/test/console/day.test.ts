import { longTest } from '@waiver-service/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setClockForward, translatePage } from '../harness/browser.ts';
import { type CheckInScene, startCheckInScene } from '../harness/check-in-page.ts';
import { expectAccessible, openConsole } from '../harness/console-page.ts';

const pool = 'rafting';
const adult = '1990-02-28';
const child = '2014-05-06';

let scene: CheckInScene;

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
afterAll(() => scene?.close());

async function board(options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
  const { page } = await openConsole(scene.browser, scene.checkIn.host, options, `/day?pool=${pool}`);
  await page.getByRole('heading', { level: 1, name: 'Day board' }).waitFor();
  return page;
}

const booking = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 4, name: id }) });
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `${name} has arrived` });
const row = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ has: tick(page, name) })
    .last();

/** Guests sign, by a link. */
async function sign(place: object, born: readonly string[], bookingGuestIds: readonly string[] = []) {
  const guest = await scene.checkIn.guest(place);
  const signing = scene.checkIn.signing(born, { bookingGuestIds });
  expect((await guest('POST', '/check-in/api/signings', signing)).status).toBe(201);
}

// Well before a page that has lost its stream would read again, and long enough for a busy machine.
const live = { timeout: 30_000 };

test('a browser that translates leaves no former numbers on the board', async () => {
  addBooking('BK-T', 'Tom Booker', ['Tia Booker', 'Tim Booker'], 'Canyoning');
  await scene.checkIn.app('GET', `/v1/pools/${pool}/bookings/BK-T`);
  const page = await board();
  const group = () => page.getByRole('heading', { level: 3, name: /Canyoning/ }).textContent();
  await expect.poll(group, live).toContain('Signed 0 of 2');
  await page.evaluate(translatePage);
  await sign({ bookingId: 'BK-T' }, [adult], ['G-1']);
  await expect.poll(group, live).toContain('Signed 1 of 2');
});

test.each([25, -25])('a tablet whose clock is %i hours ahead shows the day of the service', async (hours) => {
  const page = await board();
  await setClockForward(page, hours * 3_600_000);
  await page.reload();
  await booking(page, 'BK-A').waitFor({ timeout: 15_000 });
});

test('who arrives and who signs is seen on another browser at once', async () => {
  const [desk, dock] = [await board(), await board()];
  await booking(desk, 'BK-A').getByText('Signed 0 of 3').waitFor();
  await tick(dock, 'Zoë Bäcker').waitFor();
  await tick(desk, 'Zoë Bäcker').focus();
  await desk.keyboard.press('Space');
  expect(await tick(desk, 'Zoë Bäcker').isChecked()).toBe(true);
  await expect.poll(() => tick(dock, 'Zoë Bäcker').isChecked(), live).toBe(true);
  await sign({ bookingId: 'BK-A' }, [adult], ['G-1']);
  await row(dock, 'Zoë Bäcker').getByText('Signed').waitFor(live);
  await booking(dock, 'BK-A').getByRole('button', { name: 'All here: BK-A' }).click();
  await booking(desk, 'BK-A').getByText('3 of 3 here').waitFor(live);
  await booking(desk, 'BK-A').getByRole('button', { name: 'Undo: BK-A' }).click();
  await booking(dock, 'BK-A').getByText('0 of 3 here').waitFor(live);
});

longTest(
  'a guest who is ticked and unticked at once has not arrived, however long the first takes',
  async () => {
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
  },
);

longTest(
  'a tick that waits for the network is stored on its own day, whichever is shown by then',
  async () => {
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
  },
);

test('guests are found by name, by booking, by a scanned link, by activity and by what is missing', async () => {
  await sign({ bookingId: 'BK-B' }, [adult], ['G-1']);
  const page = await board();
  const search = page.getByLabel('Search or scan');
  await search.fill('becker noah');
  await tick(page, 'Zoë Bäcker').waitFor({ state: 'detached' });
  await tick(page, 'Noah Becker').waitFor();
  await search.fill('größl');
  await tick(page, 'Yuki Tanaka').waitFor();
  await tick(page, 'Noah Becker').waitFor({ state: 'detached' });
  await search.fill('https://tickets.example.com/scan?code=bk-a');
  await tick(page, 'Noah Becker').waitFor();
  await tick(page, 'Yuki Tanaka').waitFor({ state: 'detached' });
  // As a scanner types it, with Enter at the end; the next code replaces it.
  await search.fill(await scene.link({ bookingId: 'BK-B' }));
  await search.press('Enter');
  await tick(page, 'Yuki Tanaka').waitFor();
  await tick(page, 'Noah Becker').waitFor({ state: 'detached' });
  await page.keyboard.type(await scene.link({ bookingId: 'BK-1001' }), { delay: 1 });
  await page.getByText('The link is for booking BK-1001, which is not on this day.').waitFor();
  await search.fill(await scene.link({ desk: true }));
  await page.getByText('This is the link of the desk').waitFor();
  await search.fill('no such guest');
  await page.getByRole('button', { name: 'Show everyone' }).click();
  await tick(page, 'Noah Becker').waitFor();
  expect(await search.inputValue()).toBe('');
  await page.getByLabel('Activity').selectOption('Kayak');
  await tick(page, 'Noah Becker').waitFor({ state: 'detached' });
  await page.getByLabel('Show').selectOption('Missing');
  await tick(page, 'Mateo García').waitFor({ state: 'detached' });
  await tick(page, 'Yuki Tanaka').waitFor();
  // What is typed names guests, and stays out of the address.
  expect(new URL(page.url()).search).not.toContain('guest');
});

test('a family that signed at the desk is attached to a booking, and one of them detached', async () => {
  await sign({ desk: true }, [adult, child]);
  const page = await board();
  const walkIns = page.getByRole('region', { name: 'Walk-ins' });
  await walkIns.waitFor();
  await expectAccessible(page);
  await walkIns.getByRole('button', { name: 'Attach the waiver of Zoë Bäcker' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Booking', { exact: true }).selectOption({ label: await labelOf(dialog, 'BK-A') });
  const [first, second] = [
    dialog.getByLabel('Zoë Bäcker is').first(),
    dialog.getByLabel('Zoë Bäcker is').last(),
  ];
  await first.selectOption('Ida Bäcker');
  await second.selectOption('Noah Becker');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Attach' }).click();
  await dialog.waitFor({ state: 'detached' });
  await booking(page, 'BK-A').getByText('Signed 3 of 3').waitFor();
  await walkIns.waitFor({ state: 'detached' });
  await row(page, 'Ida Bäcker').getByRole('link', { name: 'Signed' }).click();
  await page.getByRole('button', { name: 'Detach' }).click();
  await dialog.getByRole('button', { name: 'Detach' }).click();
  await page.getByText('Waiver detached.').waitFor();
  await page.goBack();
  await booking(page, 'BK-A').getByText('Signed 2 of 3').waitFor();
  await walkIns.getByText('Zoë Bäcker').waitFor();
});

/** The choice of a booking: when, which, whose. */
async function labelOf(dialog: ReturnType<Page['getByRole']>, id: string): Promise<string> {
  const labels = await dialog.getByLabel('Booking', { exact: true }).getByRole('option').allTextContents();
  return labels.find((label) => label.includes(id)) ?? '';
}

test('the list for the van has sessions, names, who has signed, and neither buttons nor phone numbers', async () => {
  const page = await board();
  await tick(page, 'Noah Becker').waitFor();
  await page.emulateMedia({ media: 'print' });
  const [printed = ''] = await page.locator('body').allInnerTexts();
  for (const text of ['Rafting', 'Kayak', 'Noah Becker', 'Signed', 'Missing', 'Vegetarian lunch', 'BK-A'])
    expect(printed).toContain(text);
  for (const text of ['+43', 'All here', 'Search', 'Overview', 'Today']) expect(printed).not.toContain(text);
});

longTest('a pool without a form, a booking system or a booking says what to do', async () => {
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
