import { randomBytes } from 'node:crypto';
import { openStore } from '@waiver-service/store';
import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDayReader } from '../../src/days/read-day.ts';

const day = { pool: 'rafting', date: '2027-06-12', timeZone: 'Europe/Berlin' };

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
  await client.query(
    `
with b as (select n, 'B-' || n as id, '2027-06-12T08:00:00Z'::timestamptz + n % 8 * interval '1 hour' as starts_at
  from generate_series(1, $1::integer) n),
booked as (
  insert into cached_booking (pool, booking_system, booking_id, fetched, fetched_at)
  select 'rafting', 'standard', id, json_build_object('form', 'current', 'warnings', '[]'::json, 'booking',
    json_build_object('id', id, 'status', 'Active', 'pax', 7, 'contact', json_build_object('name', 'Booker ' || n),
      'guests', (select json_agg(json_build_object('id', 'G-' || g, 'name', 'Guest ' || n || ' ' || g,
        'email', 'guest' || g || '@example.com')) from generate_series(1, 7) g),
      'bookedSessions', json_build_array(json_build_object('startsAt',
        to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'activityId', 'raft',
        'activityName', 'Rafting'))))::text, now() from b),
placed as (
  insert into upcoming_booking select 'rafting', 'standard', id, starts_at, starts_at from b),
signed as (
  insert into waiver (pool, id, version, booking_system, booking_id, booking_guest_id, activities, last_visit,
    last_visit_source, answers, content_hash, created_at, updated_at)
  select 'rafting', id || '-' || g, 1, 'standard', id, 'G-' || g, '{raft}', starts_at, 'session',
    json_build_object('name', 'Guest ' || n || ' ' || g)::text, '', now(), now()
  from b, generate_series(1, 6) g)
insert into signing_flag select 'rafting', id || '-1', 'q1', 'Asks for help with steps' from b`,
    [bookings],
  );
  await client.query('analyze');
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
