import { expect, test } from 'vitest';
import { claimAll, waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

test('a change is sent only to the webhooks of its own pool', async () => {
  const { store, endpoint } = await openOutbox({ installed: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await store.webhooks.create('p2', {
    url: 'https://elsewhere.example/hook',
    auth: { type: 'none' },
    properties: ['name'],
    signing: false,
  });
  await store.waivers.create(waiver({ id: 'w1' }));
  const claimed = await claimAll(store);
  expect(claimed.map(({ destination }) => destination)).toEqual([endpoint?.endpoint.destinationId]);
});

test('a change is not sent to a booking system that awaits approval', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await query(`update installation set status = 'pending'`);
  await store.waivers.create(waiver({ id: 'w1' }));
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toEqual([]);
});
