import { pruneRows } from '@waiver-service/store/testing';
import { expect, test } from 'vitest';
import { features, openOutbox } from '../setup/open-outbox.ts';

test('old messages, plans and blocks are removed, but none of a day that may still come', async () => {
  const { query, url } = await openOutbox({ webhook: false });
  const message = (id: string, age: string, day: string) =>
    query(
      `insert into invitation (id, pool, booking_system, booking_id, occasion, day, address, address_encrypted, guests,
        created_by, created_at)
      values ($1, 'p1', 'standard', 'b1', 'staff', current_date + $3::integer, '', '', 1, '', now() - $2::interval)`,
      [id, age, day],
    );
  await message('old', '11 days', '-5');
  await message('young', '9 days', '-5');
  await message('its-day-comes', '11 days', '-1');
  for (const [booking, day] of [
    ['past', '-3'],
    ['near', '-2'],
  ])
    await query(
      `insert into invitation_plan (pool, booking_system, booking_id, occasion, day)
      values ('p1', 'standard', $1, 'morning-of', current_date + $2::integer)`,
      [booking, day],
    );
  // Before its block: the store that is open prunes, too.
  await query(`insert into upcoming_booking values ('p1', 'standard', 'moved', now(), now())`);
  for (const [booking, age] of [
    ['over', '1 hour'],
    ['moved', '1 hour'],
    ['new', '-1 hour'],
  ])
    await query(
      `insert into invitation_block (pool, booking_system, booking_id, guest, prune_at)
      values ('p1', 'standard', $1, '', now() - $2::interval)`,
      [booking, age],
    );
  expect(await pruneRows(url, features)).toBe(false);
  expect(await query('select id from invitation order by id')).toEqual([
    { id: 'its-day-comes' },
    { id: 'young' },
  ]);
  expect(await query('select booking_id from invitation_plan')).toEqual([{ booking_id: 'near' }]);
  expect(await query('select booking_id from invitation_block order by 1')).toEqual([
    { booking_id: 'moved' },
    { booking_id: 'new' },
  ]);
});
