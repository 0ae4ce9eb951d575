import { expect, test, vi } from 'vitest';
import { startReceiver, status } from '../setup/receiver.ts';
import { addWebhook, dispatch, fastPolicy, openService, waiver } from '../setup/service.ts';

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

test.each([429, 503])(
  'a %i with Retry-After holds its destination wholly and no other one; messages that wait there use no attempt; a resume ends it',
  async (code) => {
    const service = await openService();
    const busy = await startReceiver(status(code, { 'retry-after': '3600' }));
    const other = await startReceiver();
    await addWebhook(service.store, busy.url);
    await addWebhook(service.store, other.url);
    // A failure would pause the destination at once: neither a retry nor a probe may get through.
    dispatch(service, { policy: { ...fastPolicy, pauseAfterMs: 0, probeIntervalMs: 10 } });
    await service.store.waivers.create(waiver({ id: 'first' }));
    const destination = async () => {
      const { items } = await service.store.destinations.list({ limit: 10 });
      return items.find(({ waiting }) => waiting > 0);
    };
    await until(async () => expect((await destination())?.heldUntil).toBeInstanceOf(Date));
    const heldMs = ((await destination())?.heldUntil?.getTime() ?? 0) - Date.now();
    expect(heldMs).toBeGreaterThan(3_500_000);
    expect(heldMs).toBeLessThan(3_610_000);

    for (let i = 0; i < 20; i += 1) await service.store.waivers.create(waiver({ id: `w${i}` }));
    await other.count(21);
    expect(busy.received).toHaveLength(1);
    const [waiting] = (await service.store.waivers.deliveriesOf('p1', 'w0')).filter(
      ({ state }) => state !== 'delivered',
    );
    expect(waiting?.attempts).toBe(0);
    const { items } = await service.store.destinations.list({ limit: 10 });
    expect(items.filter(({ heldUntil }) => heldUntil !== undefined)).toHaveLength(1);

    busy.answerWith(status(200));
    const resumed = await service.store.destinations.resume((await destination())?.id ?? '');
    expect(resumed).not.toHaveProperty('heldUntil');
    await busy.count(22);
  },
);

test('after a Retry-After has passed, held messages are sent without further action', async () => {
  const service = await openService();
  const receiver = await startReceiver(status(429, { 'retry-after': '1' }));
  await addWebhook(service.store, receiver.url);
  dispatch(service);
  await service.store.waivers.create(waiver());
  const [first] = await receiver.count(1);
  receiver.answerWith(status(200));
  await until(async () =>
    expect((await service.store.destinations.list({ limit: 1 })).items).toMatchObject([
      { heldUntil: expect.any(Date) },
    ]),
  );
  await service.store.waivers.create(waiver());
  const all = await receiver.count(3);
  for (const { startedAt } of all.slice(1)) expect(startedAt - (first?.startedAt ?? 0)).toBeGreaterThan(990);
});
