import { signed as signedForm } from '@waiver-service/forms/testing';
import { bookeoBooking, startBookeo } from '@waiver-service/plugin-bookeo/simulator';
import { accountKey, makeLink, publishForm, until } from '@waiver-service/testing';
import { afterAll, expect, test } from 'vitest';
import { makeKiosk, startKioskHost } from '../setup/kiosk-host.ts';

const dayMs = 86_400_000;
const timeZone = 'Europe/Vienna';
const bookingId = '90';
const startTime = new Date(Date.now() - 2 * dayMs).toISOString();
const endTime = new Date(Date.now() + dayMs).toISOString();
const dateOf = (days: number) =>
  new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(Date.now() + days * dayMs));
const pool = '/v1/admin/pools/trek';

const secretKey = 'application-key';
const booking = { ...bookeoBooking, bookingNumber: bookingId, startTime, endTime };
const host = await startKioskHost();
const bookeo = await startBookeo({ apiKey: accountKey, secretKey, bookings: [booking] });
afterAll(() => Promise.all([host.close(), bookeo.close()]));
const app = await host.makePool('trek', { timeZone });
await host.admin('PUT', '/v1/admin/booking-systems/bookeo', { baseUrl: bookeo.url, settings: { secretKey } });
await host.admin('PUT', `${pool}/installations/bookeo`, { accountId: 1, apiKey: accountKey });
const form = await publishForm(host, 'trek');

/** The ids of a day's bookings, once the day was read. */
const boardOf = (days: number) =>
  until(async () => {
    const { body } = await host.admin('GET', `${pool}/days/${dateOf(days)}`);
    const isRead = body.sources.every(
      (each: { isReading: boolean; readAt: string | null }) => !each.isReading && each.readAt !== null,
    );
    const bookings: { bookingId: string }[] = body.bookings;
    return isRead ? bookings.map((each) => each.bookingId) : undefined;
  }, 'a day that was read');

test('a session of four days is on the board and at the kiosk on each of them, though its vendor lists it on the first', async () => {
  await boardOf(-2);
  expect(await boardOf(-2)).toEqual([bookingId]);
  for (const days of [-1, 0, 1]) expect([days, await boardOf(days)]).toEqual([days, [bookingId]]);
  expect(await boardOf(2)).toEqual([]);
  // It was not listed, so it was read once more; that does not take it off.
  await until(async () => bookeo.received.length > 5 || undefined, 'the booking to be read again');
  expect(await boardOf(0)).toEqual([bookingId]);
  const { kiosk } = await makeKiosk(host, { pool: 'trek' });
  const day = await kiosk('PUT', '/check-in/api/kiosk/day', { waiting: 0, waitingSince: null });
  expect(day.body).toMatchObject({ date: dateOf(0), bookings: [{ bookingId }] });
});

test('its guests sign on the third day, for that day, by a link that lasts two days beyond its end', async () => {
  const guests = (await app('GET', `/v1/pools/trek/bookings/${bookingId}`)).body.guests;
  const { bookingGuestId } = guests[0];
  const link = await app('POST', '/v1/pools/trek/check-in-links', { bookingId });
  expect(Date.parse(link.body.expiresAt)).toBeGreaterThan(Date.parse(endTime) + dayMs);
  const guest = host.as(await makeLink(app, 'trek', { bookingId, bookingGuestId }));
  const session = await guest('GET', '/check-in/api/session');
  expect(session.body.day).toMatchObject({ date: dateOf(0) });
  const filled = signedForm(form.content, ['1990-02-28']);
  const signing = {
    ...{ ...filled, id: crypto.randomUUID(), form: form.form, version: form.version },
    guests: filled.guests.map((each) => ({ ...each, bookingGuestId })),
  };
  const signed = await guest('POST', '/check-in/api/signings', signing);
  expect([signed.status, signed.text.slice(0, 300)]).toEqual([201, expect.anything()]);
  const { body } = await app('GET', `/v1/pools/trek/bookings/${bookingId}`);
  expect(body.waivers.signed).toBe(1);
  const waiver = await app('GET', `/v1/pools/trek/waivers/${signing.id}-1`);
  // Valid for the visit: to the day on which it ends.
  expect(waiver.body.validUntil).toBe(dateOf(1));
});

test('a list by a period within it has it, if the booking system lists it', async () => {
  const listed = async (from: string) => {
    const query = new URLSearchParams({ from, until: dateOf(2) });
    const { status, body } = await app('GET', `/v1/pools/trek/bookings?${query}`);
    expect(status).toBe(200);
    return body.items.map((each: { bookingId: string }) => each.bookingId);
  };
  expect(await listed(dateOf(-2))).toEqual([bookingId]);
  // Bookeo lists bookings by their start.
  expect(await listed(dateOf(0))).toEqual([]);
});
