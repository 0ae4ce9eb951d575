import { randomBytes } from 'node:crypto';
import { openStore } from '@waiver-service/store';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDayReader } from '../../src/days/read-day.ts';
import { largeDay, seedDay } from '../harness/large-day.ts';

const day = { ...largeDay, timeZone: 'Europe/Berlin' };

/** A day of a pool with so many bookings of seven guests, of whom six have signed, the first with a flag. */
async function openDay(bookings: number) {
  const database = await createTestDatabase();
  const store = await openStore({
    databaseUrl: database.url,
    encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
  });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await store.close();
    await database.drop();
  });
  await store.pools.put({ id: day.pool, name: 'Rafting' });
  await seedDay(client, bookings);
  return createDayReader({ store });
}

/** The statements of a day; others are from background jobs. */
const isOfDay = (text: string) =>
  /upcoming_booking u|join lateral \(\s*select \* from waiver o|booking_id is null and not w|signing_flag f|from arrival /.test(
    text,
  );

test('300 bookings of 2,100 guests take as many statements as three, but for one more of their waivers', async () => {
  const [few, many] = [await openDay(3), await openDay(300)];
  const query = vi.spyOn(Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const statements = () =>
    query.mock.calls.flatMap(([config]: readonly unknown[]) => {
      const text: unknown =
        typeof config === 'object' && config !== null && 'text' in config ? config.text : config;
      return typeof text === 'string' && isOfDay(text) ? text : [];
    }).length;
  expect((await few.read(day)).bookings).toHaveLength(3);
  const forFew = statements();
  query.mockClear();
  const { bookings } = await many.read(day);
  expect(statements()).toBe(forFew + 1);
  expect(forFew).toBe(5);
  expect(bookings).toHaveLength(300);
  const guests = bookings.flatMap((booking) => booking.guests);
  expect(guests.filter(({ state }) => state === 'signed')).toHaveLength(1_800);
  expect(guests.filter(({ flags }) => flags.length > 0)).toHaveLength(300);
});

test('calls for a day that come together share their statements, and see what changed before them', async () => {
  const reader = await openDay(3);
  const query = vi.spyOn(Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const first = reader.read(day);
  const others = Array.from({ length: 20 }, () => reader.read(day));
  const days = await Promise.all([first, ...others]);
  // The first, and one that began after the others had come.
  expect(new Set(days).size).toBe(2);
  expect(await reader.read(day)).toEqual(days[0]);
});

test('of more than 1,000 bookings, the first ones are read, and it is said that there are more', async () => {
  const reader = await openDay(1_001);
  const { bookings, isCut } = await reader.read(day);
  expect([bookings.length, isCut]).toEqual([1_000, true]);
});
