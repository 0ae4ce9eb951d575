import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@waiver-service/database/testing';
import { openStore } from '@waiver-service/store';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDayStore } from '../../src/data/day-store.ts';
import { DayReader } from '../../src/read-day.ts';
import { largeDay, seedDay } from '../../src/testing/large-day.ts';
import { withSignings } from '../setup/without-mail.ts';

const day = { ...largeDay, timeZone: 'Europe/Berlin' };

/** A day of a pool with so many bookings of seven guests, of whom six have signed, the first with a flag. */
async function openStoredDay(bookings: number) {
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
  return { store, reader: new DayReader(openDayStore(withSignings(store))) };
}

const openDay = async (bookings: number) => (await openStoredDay(bookings)).reader;

test('300 bookings of 2,100 guests take as many statements as three, but for one more of their waivers', async () => {
  const [few, many] = [await openDay(3), await openDay(300)];
  // Of this call only: background jobs have statements, too, and so has each new connection (`set_config`).
  const counter = new AsyncLocalStorage<{ statements: number }>();
  const { query } = Client.prototype;
  vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...parameters) {
    const count = counter.getStore();
    const [config]: readonly unknown[] = parameters;
    if (count !== undefined && !(typeof config === 'string' && config.startsWith('select set_config')))
      count.statements += 1;
    return Reflect.apply(query, this, parameters);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const read = (reader: typeof few) => {
    const count = { statements: 0 };
    return counter.run(count, async () => ({ ...(await reader.read(day)), ...count }));
  };
  const ofFew = await read(few);
  expect([ofFew.bookings.length, ofFew.statements]).toEqual([3, 5]);
  const { bookings, statements } = await read(many);
  expect(statements).toBe(ofFew.statements + 1);
  expect(bookings).toHaveLength(300);
  const guests = bookings.flatMap((booking) => booking.guests);
  expect(guests.filter(({ state }) => state === 'signed')).toHaveLength(1_800);
  expect(guests.filter(({ flags }) => flags.length > 0)).toHaveLength(300);
});

test('calls for a day that come together share their statements, and see what changed before them', async () => {
  const reader = await openDay(3);
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

test('walk-ins who have signed are read before those who have only begun, however many there are', async () => {
  const { store, reader } = await openStoredDay(0);
  const walkIn = { pool: day.pool, answers: { name: 'Ann' } };
  await Promise.all([
    ...Array.from({ length: 501 }, () =>
      store.waivers.create({
        ...walkIn,
        currentPage: 'page-2',
        lastVisit: new Date(`${day.date}T08:00:00+02:00`),
      }),
    ),
    store.waivers.create({ ...walkIn, id: 'signed', lastVisit: new Date(`${day.date}T18:00:00+02:00`) }),
  ]);
  const { walkIns, isCut } = await reader.read(day);
  expect([walkIns.length, isCut]).toEqual([500, true]);
  // The earliest first.
  expect(walkIns.at(-1)).toMatchObject({ waiverId: 'signed', state: 'signed' });
});
