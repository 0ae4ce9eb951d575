import { expect, test } from 'vitest';
import {
  addWebhook,
  dispatch,
  fastPolicy,
  install,
  openService,
  openWithWebhook,
  startReceiver,
  status,
  until,
  untilDeliveries,
  waiver,
} from '../setup/service.ts';

const patient = { ...fastPolicy, retrySchedule: [0, 10, 60_000] };

test('a destination that only fails is paused, probed once per interval without using an attempt, and resumed by the first success', async () => {
  const { service, receiver } = await openWithWebhook(status(500));
  const probeIntervalMs = 300;
  const { events } = dispatch(service, { policy: { ...patient, pauseAfterMs: 0, probeIntervalMs } });
  const begun = performance.now();
  await service.store.waivers.create(waiver({ id: 'w1' }));
  await until(() => expect(events).toContainEqual(expect.objectContaining({ type: 'paused' })));
  await service.store.waivers.create(waiver({ id: 'w2' }));
  const { items: held } = await service.store.deliveries.list({ state: 'held' }, { limit: 10 });
  expect(held.map(({ waiverId }) => waiverId)).toContain('w2');
  const [before] = await service.store.waivers.deliveriesOf('p1', 'w1');
  const seen = receiver.received.length;
  await receiver.count(seen + 3);
  // A probe may be late but not early: together they take at least as many intervals.
  const [last] = receiver.received.slice(seen + 2);
  expect((last?.startedAt ?? 0) - begun).toBeGreaterThan(3 * probeIntervalMs);
  const [after] = await service.store.waivers.deliveriesOf('p1', 'w1');
  expect(after?.attempts).toBe(before?.attempts);
  const detail = await service.store.deliveries.get(after?.id ?? '');
  expect(detail?.attempts.map(({ trigger }) => trigger)).toContain('schedule');
  receiver.answerWith(status(200));
  await until(async () => {
    expect((await service.store.deliveries.list({ state: 'delivered' }, { limit: 10 })).items).toHaveLength(
      2,
    );
  });
  expect(events).toContainEqual(expect.objectContaining({ type: 'resumed' }));
  expect((await service.store.destinations.list({ limit: 10 })).items).toMatchObject([
    { status: 'active', consecutiveFailures: 0, waiting: 0 },
  ]);
});

test('a message that is refused for itself keeps no destination paused', async () => {
  const { service, receiver } = await openWithWebhook(({ body }, response) => {
    response.statusCode = body.includes('"w1"') ? 422 : 200;
    response.end('{"success":true}');
  });
  const { events } = dispatch(service, { policy: { ...patient, pauseAfterMs: 0, probeIntervalMs: 1_000 } });
  await service.store.waivers.create(waiver({ id: 'w1' }));
  await until(() => expect(events).toContainEqual(expect.objectContaining({ type: 'paused' })));
  await receiver.count(receiver.received.length + 2);
  await service.store.waivers.create(waiver({ id: 'w2' }));
  await until(async () => {
    expect(await service.store.waivers.deliveriesOf('p1', 'w2')).toMatchObject([{ state: 'delivered' }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'resumed' }));
  });
});

test('a webhook’s 410 pauses the endpoint, loses nothing, and a person resumes it', async () => {
  const { service, receiver, endpoint } = await openWithWebhook(status(410));
  dispatch(service, { policy: patient });
  await service.store.waivers.create(waiver({ id: 'w1' }));
  await until(async () => {
    expect((await service.store.destinations.list({ limit: 10 })).items).toMatchObject([
      { status: 'paused', waiting: 1 },
    ]);
  });
  const [state] = await service.store.waivers.deliveriesOf('p1', 'w1');
  expect(state?.state).toBe('held');
  receiver.answerWith(status(200));
  const [destination] = (await service.store.destinations.list({ limit: 10 })).items;
  expect(endpoint.pool).toBe('p1');
  expect(await service.store.destinations.resume(destination?.id ?? '')).toMatchObject({ status: 'active' });
  await untilDeliveries(service, 'w1');
});

test('a reinstall with a new key, or a change of a webhook, makes the probe of a paused destination due at once', async () => {
  const service = await openService();
  const receiver = await startReceiver(status(401));
  await install(service.store);
  const { endpoint } = await addWebhook(service.store, receiver.url);
  // No scheduled probe is due while this test runs.
  dispatch(service, { policy: { ...patient, pauseAfterMs: 0 }, guestUpdateUrl: receiver.url });
  await service.store.waivers.create(waiver({ id: 'w1', bookingSystem: 'standard', bookingId: 'b1' }));
  const statuses = async () =>
    (await service.store.destinations.list({ limit: 10 })).items.map((destination) => destination.status);
  await until(async () => expect(await statuses()).toEqual(['paused', 'paused']));
  receiver.answerWith(status(200));
  await install(service.store);
  await service.store.webhooks.update('p1', endpoint.id, { auth: { type: 'none' } });
  await until(async () => expect(await statuses()).toEqual(['active', 'active']));
});

test('a person’s pause lets nothing through, no probe either', async () => {
  const { service, receiver } = await openWithWebhook();
  const [destination] = (await service.store.destinations.list({ limit: 10 })).items;
  await service.store.destinations.pause(destination?.id ?? '');
  const { dispatcher } = dispatch(service, { policy: { ...fastPolicy, probeIntervalMs: 10 } });
  await service.store.waivers.create(waiver({ id: 'w1' }));
  const other = await startReceiver();
  await addWebhook(service.store, other.url);
  await service.store.waivers.create(waiver({ id: 'w2' }));
  await other.count(1);
  expect(receiver.received).toEqual([]);
  await service.store.destinations.resume(destination?.id ?? '');
  await receiver.count(2);
  await dispatcher.stop();
});

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
  const { service, receiver } = await openWithWebhook(status(429, { 'retry-after': '1' }));
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
