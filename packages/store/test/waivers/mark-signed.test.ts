import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { markSigned } from '../../src/waivers/mark-signed.ts';
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
  const database = openDatabase(url);
  const { rows } = await sql`explain (analyze, format json)
with ${markSigned('p1', ['w7', 'w8'], 's1')} select`.execute(database);
  const read = [...JSON.stringify(rows).matchAll(/"Actual Rows":([\d.]+)/g)].map(([, count]) =>
    Number(count),
  );
  expect(Math.max(...read)).toBe(2);
  expect(await query('select id from waiver where signing = $1 order by id', ['s1'])).toEqual([
    { id: 'w7' },
    { id: 'w8' },
  ]);
});
