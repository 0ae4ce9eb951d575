import { expect, test } from 'vitest';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';
import { openSession } from '../setup/open-session.ts';

const ids = Array.from({ length: 30 }, (_, place) => `${place}`);

test('a lock in one pool does not delay creates and changes in another', async () => {
  const { store, url } = await openOutbox({ webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await Promise.all(
    ids.flatMap((id) => [
      store.waivers.create(waiver({ id: `one-${id}` })),
      store.waivers.create(waiver({ id: `two-${id}`, pool: 'p2' })),
    ]),
  );
  const client = await openSession(url);
  await client.query('begin');
  await client.query(`select from destination for update`);

  let isReleased = false;
  const change = (pool: string, id: string) => store.waivers.update(pool, id, { currentPage: 'two' });
  // In one turn, so that they would be stored together; many more than there are connections.
  const held = ids.map((id) => change('p1', `one-${id}`));
  const free = ids.map((id) => change('p2', `two-${id}`));
  const create = (pool: string, id: string) => store.waivers.create(waiver({ id, pool }));
  const heldNew = ids.map((id) => create('p1', `new-one-${id}`));
  const freeNew = ids.map((id) => create('p2', `new-two-${id}`));
  const heldBefore = Promise.race(held).then(() => isReleased);
  for (const outcome of await Promise.all(free)) expect(outcome).toMatchObject({ outcome: 'updated' });
  for (const id of ids) expect(await change('p2', `two-${id}`)).toMatchObject({ outcome: 'updated' });
  for (const outcome of await Promise.all(freeNew)) expect(outcome).toMatchObject({ outcome: 'created' });

  isReleased = true;
  await client.query('commit');
  expect(await heldBefore).toBe(true);
  for (const outcome of await Promise.all(held)) expect(outcome).toMatchObject({ outcome: 'updated' });
  for (const outcome of await Promise.all(heldNew)) expect(outcome).toMatchObject({ outcome: 'created' });
});

test('records locked by another session do not take connections from another pool', async () => {
  const { store, url } = await openOutbox({ webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await Promise.all(ids.map((id) => store.waivers.create(waiver({ id: `one-${id}` }))));
  await store.waivers.create(waiver({ id: 'two', pool: 'p2' }));
  const client = await openSession(url);
  await client.query('begin');
  await client.query(`select from waiver where pool = 'p1' for update`);
  const held = ids.map((id) => store.waivers.update('p1', `one-${id}`, { currentPage: 'two' }));
  for (let page = 0; page < 30; page += 1) {
    expect(await store.waivers.update('p2', 'two', { currentPage: `${page}` })).toMatchObject({
      outcome: 'updated',
    });
  }
  await client.query('commit');
  for (const outcome of await Promise.all(held)) expect(outcome).toMatchObject({ outcome: 'updated' });
});
