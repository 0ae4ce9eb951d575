import { expect, test } from 'vitest';
import { claimAll, install, waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

test('a booking system that takes no Guest Updates gets none: nothing is written, nothing waits, the webhook is sent', async () => {
  const { store } = await openOutbox({ installed: false });
  await install(store, { takesGuestUpdates: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  await store.waivers.update('p1', 'w1', { bookingId: 'b2' });
  const deliveries = await store.waivers.deliveriesOf('p1', 'w1');
  expect(new Set(deliveries.map(({ kind }) => kind))).toEqual(new Set(['guest-webhook']));
  expect((await claimAll(store)).map(({ kind }) => kind)).toEqual(['guest-webhook']);
});

test('one that takes them since its last install gets the next change', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await install(store, { takesGuestUpdates: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  await install(store, { takesGuestUpdates: true });
  expect(await claimAll(store)).toEqual([]);
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect(await claimAll(store)).toMatchObject([{ kind: 'guest-update', version: 2 }]);
});
