import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  addWebhook,
  dispatch,
  install,
  openService,
  openWithWebhook,
  sendersWith,
  startReceiver,
  status,
  until,
  untilDeliveries,
  waiver,
} from '../setup/service.ts';

test('a webhook arrives with the contract’s headers and body, its signatures, and is delivered', async () => {
  const service = await openService();
  const receiver = await startReceiver();
  const { signingSecret = '' } = await addWebhook(service.store, `${receiver.url}/hook`, {
    auth: { type: 'basic', username: 'zoë', password: 'p:ä' },
    signing: true,
    properties: ['name'],
  });
  dispatch(service);
  await service.store.waivers.create(waiver({ id: 'w1', answers: { name: 'Ann', secret: 'x' } }));
  const [first] = await receiver.count(1);
  expect(first?.path).toBe('/hook');
  expect(first?.headers['cache-control']).toBe('no-cache');
  expect(first?.headers['content-type']).toBe('application/json');
  expect(first?.headers.authorization).toBe(`Basic ${Buffer.from('zoë:p:ä', 'utf8').toString('base64')}`);
  const headers = Object.fromEntries(
    Object.entries(first?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  expect(new Webhook(signingSecret).verify(first?.body ?? '', headers)).toMatchObject({
    guest: { id: 'w1', name: 'Ann', reservationsID: null, reservationsService: '' },
  });
  expect(first?.body).not.toContain('secret');
  await untilDeliveries(service, 'w1', [{ state: 'delivered', attempts: 1 }]);
});

test('a changed address counts from the next message on', async () => {
  const service = await openService();
  const former = await startReceiver();
  const next = await startReceiver();
  const { endpoint } = await addWebhook(service.store, former.url);
  dispatch(service);
  await service.store.waivers.create(waiver());
  await former.count(1);
  await service.store.webhooks.update('p1', endpoint.id, { url: next.url });
  await service.store.waivers.create(waiver());
  await next.count(1);
  expect(former.received).toHaveLength(1);
});

test('a rejected message is retried with the same id and body until it is accepted, and each attempt is recorded', async () => {
  const service = await openService();
  const receiver = await startReceiver(status(503, {}, 'not now\u0000'));
  await addWebhook(service.store, receiver.url, { signing: true });
  dispatch(service);
  await service.store.waivers.create(waiver({ id: 'w1' }));
  await receiver.count(3);
  receiver.answerWith(status(204));
  await untilDeliveries(service, 'w1');
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const [delivery] = await service.store.waivers.deliveriesOf('p1', 'w1');
  const detail = await service.store.deliveries.get(delivery?.id ?? '');
  expect(detail?.attempts).toHaveLength(receiver.received.length);
  expect(detail?.attempts[0]).toMatchObject({
    outcome: 'refused',
    status: 503,
    errorCode: 'http_status',
    trigger: 'schedule',
  });
  expect(detail?.attempts[0]?.response).toContain('not now');
  expect(detail?.attempts.at(-1)).toMatchObject({ outcome: 'accepted', status: 204 });
});

test('a refused body is a dead letter after three attempts; a Guest Update’s 410 at once; the lane moves on', async () => {
  const service = await openService();
  const receiver = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/hook' ? 422 : 410).end();
  });
  await addWebhook(service.store, `${receiver.url}/hook`);
  await install(service.store);
  dispatch(service, { guestUpdateUrl: `${receiver.url}/update` });
  await service.store.waivers.create(waiver({ id: 'w1', bookingSystem: 'standard', bookingId: 'b1' }));
  await until(async () => {
    const states = await service.store.waivers.deliveriesOf('p1', 'w1');
    expect(states.map(({ kind, state, attempts }) => [kind, state, attempts]).sort()).toEqual([
      ['guest-update', 'dead', 1],
      ['guest-webhook', 'dead', 3],
    ]);
  });
  receiver.answerWith(status(200));
  await service.store.waivers.update('p1', 'w1', { currentPage: 'two' });
  await until(async () => {
    const states = await service.store.waivers.deliveriesOf('p1', 'w1');
    expect(states.filter(({ version }) => version === 2).map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
    ]);
  });
});

test('after a timeout a message is in doubt: the same body is sent again before anything newer', async () => {
  const { service, receiver } = await openWithWebhook(() => {}, { timeoutMs: 400 });
  dispatch(service);
  await service.store.waivers.create(waiver({ id: 'w1', currentPage: 'one' }));
  await receiver.count(1);
  await service.store.waivers.update('p1', 'w1', { currentPage: 'two' });
  await service.store.waivers.update('p1', 'w1', { currentPage: 'three' });
  receiver.answerWith(status(200));
  const pages = () => receiver.received.map(({ body }) => JSON.parse(body).guest.currentPage);
  await until(() => expect(pages().at(-1)).toBe('three'));
  // A slow machine may time out more than once.
  expect(pages().slice(0, 2)).toEqual(['one', 'one']);
  expect(pages().filter((page, place, all) => page !== all[place - 1])).toEqual(['one', 'three']);
  await until(async () => {
    const states = await service.store.waivers.deliveriesOf('p1', 'w1');
    expect(states.map(({ state }) => state)).toEqual(['delivered', 'superseded', 'delivered']);
  });
});

test('a fault of the service uses no attempt and is reported; the message is sent when it is fixed', async () => {
  const service = await openService();
  await install(service.store);
  let isBroken = true;
  const { events } = dispatch(service, {
    senders: sendersWith({
      guestUpdate: async () => {
        if (isBroken) throw new TypeError('a bug of ours');
        return { outcome: 'accepted', durationMs: 1 };
      },
    }),
  });
  await service.store.waivers.create(waiver({ id: 'w1', bookingSystem: 'standard', bookingId: 'b1' }));
  await until(async () => {
    const [state] = await service.store.waivers.deliveriesOf('p1', 'w1');
    expect(state).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(state?.nextAttemptAt).toBeInstanceOf(Date);
  });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'attempt', decision: 'release', error: expect.any(TypeError) }),
  );
  const [destination] = (await service.store.destinations.list({ limit: 10 })).items;
  expect(destination).toMatchObject({ status: 'active', consecutiveFailures: 0 });
  isBroken = false;
  const [delivery] = await service.store.waivers.deliveriesOf('p1', 'w1');
  await service.store.deliveries.retry(delivery?.id ?? '');
  await untilDeliveries(service, 'w1', [{ state: 'delivered', attempts: 1 }]);
});

test('a dead destination does not keep another from its messages', async () => {
  const service = await openService({ timeoutMs: 400 });
  const dead = await startReceiver(() => {});
  const alive = await startReceiver();
  await addWebhook(service.store, dead.url);
  await addWebhook(service.store, alive.url);
  for (let i = 0; i < 30; i += 1) await service.store.waivers.create(waiver());
  dispatch(service, { concurrency: 10, destinationConcurrency: 4 });
  await alive.count(30);
  expect(dead.received.length).toBeLessThan(30);
});

test('a stop that cannot wait aborts what hangs: in doubt, no attempt used, sent again by the next host', async () => {
  const { service, receiver } = await openWithWebhook(() => {});
  const { dispatcher } = dispatch(service, { stopWithinMs: 0 });
  await service.store.waivers.create(waiver({ id: 'w1' }));
  await receiver.count(1);
  await dispatcher.stop();
  expect(await service.store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([
    { state: 'waiting', attempts: 0 },
  ]);
  await service.store.waivers.update('p1', 'w1', { currentPage: 'two' });
  receiver.answerWith(status(200));
  dispatch({ ...service, store: await service.again() });
  await receiver.count(3);
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  expect(JSON.parse(receiver.received[2]?.body ?? '').guest.currentPage).toBe('two');
});
