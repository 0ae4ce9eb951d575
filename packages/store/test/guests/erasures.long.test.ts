import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { openOutbox } from '../setup/outbox-fixture.ts';

const operator = 'credential:1';

async function accepted(store: Store, guest: { waiverId: string } | { email: string }) {
  const result = await store.guests.erasures.request('p1', guest, operator);
  if (result.outcome !== 'accepted') throw new Error(result.outcome);
  return result.erasure;
}

const guest = { name: 'Ann', email: ' Ann@Example.com ', feedback: 'planted-feedback', notes: 'planted' };

test('more than ten thousand records of a guest are erased by one request', async () => {
  const { store, query } = await openOutbox({ installed: false, webhook: false });
  const answers = JSON.stringify(guest).replaceAll("'", "''");
  await query(`insert into waiver (pool, id, version, activities, last_visit, last_visit_source, answers, content_hash,
      created_at, updated_at, hold_reason)
    select 'p1', 'w' || n, 1, '{}', now(), 'created', '${answers}', '', now(), now(), case when n > 10001 then 'claim' end
    from generate_series(1, 10004) n`);
  const erasure = await accepted(store, { email: 'ann@example.com' });
  expect(erasure).toMatchObject({
    state: 'telling',
    waivers: 10_001,
    heldWaivers: ['w10002', 'w10003', 'w10004'],
  });
  const [left] = await query('select count(*)::integer as n from waiver where erasure is null');
  expect(left).toEqual({ n: 3 });
  expect((await store.guests.erasures.get('p1', erasure.id))?.waivers).toBe(10_001);
  // The job is at it.
  await expect
    .poll(async () => (await query('select from waiver where erased_at is not null limit 1')).length)
    .toBe(1);
});
