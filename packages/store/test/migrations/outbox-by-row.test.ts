import { expect, test } from 'vitest';
import { openBefore } from '../setup/open-before.ts';
import { claimAll, claimProbes, deliver } from '../setup/outbox-fixture.ts';

/** A database as it was before messages had rows of their own, with three webhooks of one pool. */
async function openFormer() {
  const { client, migrated } = await openBefore('0006');
  await client.query(`insert into pool (id, name) values ('p1', 'One')`);
  await client.query(`insert into destination (id, pool, kind, status, paused_by, next_probe_at, held_until) values
    ('active', 'p1', 'guest-webhook', 'active', null, null, null),
    ('held', 'p1', 'guest-webhook', 'active', null, null, now() + interval '1 hour'),
    ('paused', 'p1', 'guest-webhook', 'paused', 'failures', now(), null)`);
  let made = 0;
  return {
    /** A delivery, and where it is the first of its lane, the lane. */
    async add(waiver: string, delivery: Record<string, unknown> = {}, lane?: Record<string, unknown>) {
      made += 1;
      const id = `00000000-0000-7000-8000-${String(made).padStart(12, '0')}`;
      const row = {
        pool: 'p1',
        id,
        destination: 'active',
        kind: 'guest-webhook',
        ordering_key: waiver,
        sequence: 1,
        waiver_id: waiver,
        version: made,
        takeback: false,
        body: JSON.stringify({ guest: { id: waiver, made } }),
        state: 'waiting',
        created_at: new Date(),
        ...delivery,
      };
      await insert('delivery', row);
      const { pool, destination, ordering_key } = row;
      if (lane !== undefined) {
        await insert('lane', {
          pool,
          destination,
          ordering_key,
          state: 'ready',
          due_at: new Date(0),
          last_sequence: 9,
          ...lane,
        });
      }
      return id;
    },
    migrated,
    query: async (text: string) => (await client.query(text)).rows,
  };

  async function insert(table: string, row: Record<string, unknown>): Promise<void> {
    const places = Object.keys(row).map((_, place) => `$${place + 1}`);
    await client.query(`insert into ${table} (${Object.keys(row)}) values (${places})`, Object.values(row));
  }
}

test('waiting, leased, doubtful, held, paused and dead messages continue as before', async () => {
  const former = await openFormer();
  const hourAhead = new Date(Date.now() + 3_600_000);
  const lease = {
    state: 'leased',
    lease_token: '00000000-0000-4000-8000-000000000000',
    lease_until: new Date(0),
  };
  const fresh = await former.add('fresh', {}, {});
  await former.add('done', { state: 'delivered' }, { state: 'idle', done_sequence: 9 });
  await former.add('buried', { state: 'dead', attempts: 10 }, { state: 'idle', done_sequence: 9 });
  await former.add('outdated', { state: 'superseded', attempts: 1 }, { state: 'idle' });
  await former.add('placeless', { state: 'cancelled', reason: 'no place for it' }, { state: 'idle' });
  const retried = await former.add(
    'retried',
    { attempts: 2, sequence: 3 },
    { retrying: true, manual: true, due_at: hourAhead, lost_leases: 1, faults: 2, done_sequence: 2 },
  );
  const doubted = await former.add('doubted', { attempts: 1, in_doubt: true }, { retrying: true });
  const behind = await former.add('doubted', { sequence: 2 });
  const sent = await former.add('sent');
  const behindSent = await former.add('sent', { sequence: 2 }, { ...lease, current: sent });
  await former.add('held', { destination: 'held' }, {});
  const paused = await former.add('paused', { destination: 'paused' }, {});
  const store = await former.migrated();

  expect(
    await former.query(`select id, ordering_key, retrying, manual, in_doubt, attempts, lost_leases, faults,
      due_at > now() as later from pending where destination = 'active' order by sequence`),
  ).toEqual([
    {
      id: doubted,
      ordering_key: 'doubted',
      retrying: true,
      manual: false,
      in_doubt: true,
      attempts: 1,
      lost_leases: 0,
      faults: 0,
      later: false,
    },
    {
      id: behind,
      ordering_key: 'doubted',
      retrying: false,
      manual: false,
      in_doubt: false,
      attempts: 0,
      lost_leases: 0,
      faults: 0,
      later: false,
    },
    {
      id: fresh,
      ordering_key: 'fresh',
      retrying: false,
      manual: false,
      in_doubt: false,
      attempts: 0,
      lost_leases: 0,
      faults: 0,
      later: false,
    },
    {
      id: retried,
      ordering_key: 'retried',
      retrying: true,
      manual: true,
      in_doubt: false,
      attempts: 2,
      lost_leases: 1,
      faults: 2,
      later: true,
    },
    {
      id: sent,
      ordering_key: 'sent',
      retrying: true,
      manual: false,
      in_doubt: true,
      attempts: 0,
      lost_leases: 1,
      faults: 0,
      later: false,
    },
    {
      id: behindSent,
      ordering_key: 'sent',
      retrying: false,
      manual: false,
      in_doubt: false,
      attempts: 0,
      lost_leases: 0,
      faults: 0,
      later: false,
    },
  ]);
  const shown = async (state: 'delivered' | 'dead' | 'superseded' | 'cancelled' | 'waiting' | 'held') =>
    (await store.deliveries.list({ state }, { limit: 20 })).items.map(({ waiverId }) => waiverId).toSorted();
  expect(await shown('delivered')).toEqual(['done']);
  expect(await shown('dead')).toEqual(['buried']);
  expect(await shown('superseded')).toEqual(['outdated']);
  expect(await shown('cancelled')).toEqual(['placeless']);
  expect(await shown('held')).toEqual(['paused']);
  expect(await shown('waiting')).toEqual(['doubted', 'doubted', 'fresh', 'held', 'retried', 'sent', 'sent']);
  const [cancelled] = (await store.deliveries.list({ state: 'cancelled' }, { limit: 1 })).items;
  expect(await store.deliveries.get(cancelled?.id ?? '')).toMatchObject({ reason: 'no place for it' });

  // The doubts first, then what is behind them; nothing of the destination that is held.
  const first = await claimAll(store);
  expect(first.map(({ id }) => id).toSorted()).toEqual([doubted, fresh, sent].toSorted());
  for (const each of first) await deliver(store, each);
  expect((await claimAll(store)).map(({ id }) => id).toSorted()).toEqual([behind, behindSent].toSorted());
  expect(await claimProbes(store, 60_000)).toMatchObject([{ id: paused, trigger: 'probe' }]);
  const [dead] = (await store.deliveries.list({ state: 'dead' }, { limit: 1 })).items;
  expect(await former.query(`select state, attempts from ended where id = '${dead?.id}'`)).toEqual([
    { state: 'dead', attempts: 10 },
  ]);
});
