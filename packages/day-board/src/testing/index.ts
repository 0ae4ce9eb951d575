/** The day that {@link seedDay} fills. */
export const largeDay = { pool: 'rafting', date: '2027-06-12' };

/** Runs statements. */
interface Connection {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Stores bookings of seven guests on a day of a pool, of whom six have signed, the first with a flag. */
export async function seedDay(client: Connection, bookings: number, date = largeDay.date): Promise<void> {
  await client.query(
    `
with b as (select n, 'B-' || n as id, ($2 || 'T08:00:00Z')::timestamptz + n % 8 * interval '1 hour' as starts_at
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
    [bookings, date],
  );
  await client.query('analyze');
}
