import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { markSigned } from '../../src/waivers/signings.ts';
import { openDatabase } from '../setup/open-database.ts';
import { openTestStore } from '../setup/open-test-store.ts';

const ids = Array.from({ length: 300 }, (_, place) => `w${place}`);

test('a signing reads only the waivers that it marks, even with statistics of an empty table', async () => {
  const { store, query, url } = await openTestStore();
  await store.pools.put({ id: 'p1', name: 'One' });
  await query('vacuum analyze waiver');
  await Promise.all(
    ids.map((id) => store.waivers.create(waiver({ id, bookingSystem: null, bookingId: null }))),
  );
  const read = await openDatabase(url)
    .transaction()
    .execute(async (transaction) => {
      await markSigned(transaction, 'p1', ['w7', 'w8'], 's1');
      const { rows } = await sql<{ read: number }>`
select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'waiver'`.execute(
        transaction,
      );
      return rows;
    });
  expect(read).toEqual([{ read: 2 }]);
  expect(await query('select id from waiver where signing = $1 order by id', ['s1'])).toEqual([
    { id: 'w7' },
    { id: 'w8' },
  ]);
});
