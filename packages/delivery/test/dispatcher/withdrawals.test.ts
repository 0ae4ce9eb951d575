import { expect, onTestFinished, test, vi } from 'vitest';
import { createWithdrawals } from '../../src/dispatcher/withdrawals.ts';
import { queued } from '../setup/in-flight-message.ts';
import {
  addWebhook,
  dispatch,
  openService,
  startReceiver,
  until,
  waiver,
  warmUp,
  warmUps,
} from '../setup/service.ts';

/** A host with one slot, whose first message the receiver holds while the others are claimed. */
async function openWithClaimed(count: number) {
  const service = await openService();
  const receiver = await startReceiver();
  const { endpoint } = await addWebhook(service.store, receiver.url, { properties: ['name', 'height'] });
  const heard = Promise.withResolvers<void>();
  const { outbox } = service.store;
  dispatch(service, {
    concurrency: 1,
    outbox: {
      ...outbox,
      listen: ({ onWake, onWithdrawn }) =>
        outbox.listen({
          onWake,
          onWithdrawn(withdrawal) {
            onWithdrawn?.(withdrawal);
            if (withdrawal !== undefined) heard.resolve();
          },
        }),
    },
  });
  // Only destinations known to be quick have more claimed than there are slots.
  await warmUp(service);
  let release = () => {};
  receiver.answerWith((_, response) => {
    release = () => {
      receiver.answerWith((_next, later) => void later.end());
      response.end();
    };
  });
  for (let i = 0; i < count; i += 1) {
    await service.store.waivers.create(waiver({ id: `w${i}`, answers: { name: 'Ann', height: 170 } }));
  }
  await receiver.count(warmUps + 1);
  await until(async () => {
    const { items } = await service.store.deliveries.list({ state: 'sending' }, { limit: 100 });
    expect(items).toHaveLength(count);
  });
  const later = () => receiver.received.slice(warmUps + 1).map(({ body }) => JSON.parse(body).guest);
  return { ...service, receiver, endpoint, later, heard: heard.promise, release: () => release() };
}

test.each(['the same host', 'another host'])(
  'fields no longer shared do not leave in messages claimed before: the list was changed on %s',
  async (where) => {
    const { store, again, receiver, endpoint, later, heard, release } = await openWithClaimed(6);
    const host = where === 'another host' ? await again() : store;
    await host.webhooks.update('p1', endpoint.id, { properties: ['name'] });
    if (where === 'another host') await heard;
    release();
    await receiver.count(warmUps + 6);
    expect(later()).toHaveLength(5);
    for (const guest of later()) {
      expect(guest).toMatchObject({ name: 'Ann' });
      expect(guest).not.toHaveProperty('height');
    }
  },
);

test('a removed answer is not sent with a message claimed before', async () => {
  const { store, receiver, later, release } = await openWithClaimed(3);
  await store.waivers.update('p1', 'w2', { answers: { height: null } });
  release();
  await receiver.count(warmUps + 3);
  await until(() => expect(later().filter(({ id }) => id === 'w2').length).toBeGreaterThan(0));
  for (const guest of later()) {
    if (guest.id === 'w2') expect(guest).not.toHaveProperty('height');
    else expect(guest).toMatchObject({ height: 170 });
  }
});

test('a withdrawal concerns messages claimed before it, of its destination or waiver only', () => {
  const withdrawals = createWithdrawals();
  const message = { destination: 'd1', waiverId: 'w1' };
  const entry = (claimedAt: number) => ({ claimedAt, message: Object.assign(Object.create(null), message) });
  const before = performance.now() - 1;
  expect(withdrawals.concerns(entry(before))).toBe(false);
  withdrawals.add({ destination: 'd2' });
  withdrawals.add({ waiverId: 'w2' });
  expect(withdrawals.concerns(entry(before))).toBe(false);
  withdrawals.add({ waiverId: 'w1' });
  for (let i = 0; i < 50; i += 1) withdrawals.add({ destination: `other-${i}` });
  expect(withdrawals.concerns(entry(before))).toBe(true);
  expect(withdrawals.concerns(entry(performance.now() + 1))).toBe(false);
  // Too many to remember one by one: messages claimed before them are claimed again.
  const claimedAt = performance.now();
  for (let i = 0; i < 500; i += 1) withdrawals.add({ destination: `many-${i}` });
  expect(withdrawals.concerns(entry(claimedAt - 1))).toBe(true);
});

test('if withdrawals may have been missed, everything claimed before is claimed again', () => {
  const withdrawals = createWithdrawals();
  const { message } = queued();
  const claimedAt = performance.now();
  withdrawals.add(undefined);
  expect(withdrawals.concerns({ claimedAt, message })).toBe(true);
  expect(withdrawals.concerns({ claimedAt: performance.now() + 1, message })).toBe(false);
});

test('a message claimed at the moment of a withdrawal may have been read before it', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  onTestFinished(() => clock.mockRestore());
  const withdrawals = createWithdrawals();
  const { message } = queued();
  withdrawals.add({ waiverId: message.waiverId });
  expect(withdrawals.concerns({ claimedAt: 1_000, message })).toBe(true);
  expect(withdrawals.concerns({ claimedAt: 1_000.1, message })).toBe(false);
});
