import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CheckInScene,
  draw,
  enterContact,
  enterDate,
  goOn,
  goToSignature,
  onScreen,
  pads,
  send,
  startCheckInScene,
} from '../harness/check-in-page.ts';

let scene: CheckInScene;

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
  test('asks a signer again whose guest of the booking was chosen for a child meanwhile', async () => {
    const { host, system } = scene.checkIn;
    await host.makePool('rafting', { timeZone: 'Europe/Berlin' });
    const group = system.bookings.get('BK-1001');
    if (group === undefined) throw new Error('there is no BK-1001');
    const guests = [
      { id: 'G-1', name: 'Zoë Bäcker' },
      { id: 'G-2', name: 'Max Bäcker' },
    ];
    system.bookings.add({ ...group, id: 'BK-twice', pax: 2, guests });
    const { page } = await scene.open({ bookingId: 'BK-twice' });
    await page.getByLabel('Max B.').check();
    await page.getByLabel('Children only').check();
    await page.getByLabel('Your full name').fill('Zoë Bäcker');
    await page.getByLabel('Your relationship to the children').fill('Mother');
    await enterDate(page.getByRole('group', { name: 'Your date of birth' }), '1988-03-07');
    await enterContact(page);
    await goOn(page, 'Your children');
    await page.getByLabel('Their name in the booking').selectOption('Max B.');
    await page.getByRole('button', { name: 'Back' }).click();
    await onScreen(page, 'Who are you?');
    await page.getByLabel('Myself and children').check();
    const max = page.getByLabel('Max B.');
    await expect.poll(() => max.isDisabled()).toBe(true);
    expect(await max.isChecked()).toBe(false);
    await page.getByLabel('First and last name').fill('Zoë Bäcker');
    await enterDate(page.getByRole('group', { name: 'Date of birth' }), '1988-03-07');
    await page.getByRole('button', { name: 'Continue' }).click();
    const whichGuest = page.getByRole('group', { name: 'Which of these are you?' });
    await whichGuest.getByText('Please answer this question.').waitFor();
    await page.getByLabel('Zoë B.').check();
    await goOn(page, 'Your children');
    const child = page.getByLabel('Their name in the booking');
    expect(await child.locator('option:checked').textContent()).toBe('Max B.');
    expect(await child.locator('option').allTextContents()).not.toContain('Zoë B.');
    await page.context().close();
  });

  test('takes a guardian who does not take part, on the link of the child, and makes no waiver for them', async () => {
    const { host, system } = scene.checkIn;
    await host.makePool('rafting', { timeZone: 'Europe/Berlin', prefillProperties: ['dateOfBirth'] });
    const group = system.bookings.get('BK-1001');
    if (group === undefined) throw new Error('there is no BK-1001');
    const guests = [{ id: 'G-1', name: 'Ida Peña', dateOfBirth: '2018-05-01' }];
    system.bookings.add({ ...group, id: 'BK-child', pax: 1, guests });
    const { page } = await scene.open({ bookingId: 'BK-child', bookingGuestId: 'G-1' });
    const signing = page.waitForRequest((request) => request.url().endsWith('/signings'));
    await page.getByLabel('Children only').check();
    await page.getByLabel('Your full name').fill('Ana Peña');
    await page.getByLabel('Your relationship to the children').fill('Mother');
    await enterDate(page.getByRole('group', { name: 'Your date of birth' }), '1988-03-07');
    await enterContact(page);
    await goOn(page, 'Your children');
    await page.getByLabel('Their name in the booking').selectOption('Ida P.');
    expect(await page.getByLabel('First and last name').inputValue()).toBe('Ida Peña');
    const date = page.getByRole('group', { name: 'Date of birth' });
    const parts = ['Day', 'Month', 'Year'].map((part) => date.getByLabel(part).inputValue());
    expect(await Promise.all(parts)).toEqual(['1', '5', '2018']);
    await date.getByLabel('Day').fill('02');
    expect(await date.getByLabel('Day').inputValue()).toBe('02');
    await goToSignature(page);
    await draw(page, pads(page));
    await goOn(page, 'Is everything right?');
    await send(page);
    const records = await answersOf((await signing).postData());
    expect(records.map(({ answers }) => answers)).toMatchObject([
      { name: 'Ida Peña', dateOfBirth: '2018-05-02', minor: true, guardianName: 'Ana Peña' },
    ]);
    await page.context().close();
  });
});
