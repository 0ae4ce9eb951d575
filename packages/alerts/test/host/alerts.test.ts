import { startWebhookReceiver } from '@waiver-service/simulator';
import { type TestHost, textAt } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAlertingHost } from '../setup/alerting-host.ts';

const alerts = '/v1/admin/alerts';
const secret = 's3cret-value-of-the-alert';
const url = 'http://127.0.0.1:9/hooks/T0-of-a-chat?token=xyz-of-it';

let host: TestHost;

const make = (change: Record<string, unknown> = {}) =>
  host.admin('POST', alerts, { name: 'On call', url, auth: { type: 'none' }, ...change });
const idOf = async (change: Record<string, unknown> = {}) => textAt((await make(change)).body, 'id');

beforeAll(async () => {
  host = await startAlertingHost({ settings: { role: 'api' } });
  for (const pool of ['mine', 'theirs']) await host.makePool(pool);
});
afterAll(() => host?.close());

const all = [
  'delivery.dead',
  'destination.failing',
  'destination.paused',
  'destination.recovered',
  'installation.auth_rejected',
  'installation.pending',
  'fault',
];

test('an alert is created, shown without its credentials, changed and removed', async () => {
  const created = await make({ auth: { type: 'header', name: 'X-Own', value: secret }, signing: true });
  expect(created.status).toBe(201);
  const shown = {
    id: expect.any(String),
    name: 'On call',
    url,
    auth: { type: 'header', name: 'X-Own' },
    signing: true,
    events: all,
    pools: null,
    destination: expect.any(String),
    status: 'active',
    consecutiveFailures: 0,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  };
  expect(created.body).toEqual({ ...shown, signingSecret: expect.stringMatching(/^whsec_/) });
  const path = `${alerts}/${textAt(created.body, 'id')}`;
  expect(await host.admin('GET', path)).toMatchObject({ status: 200, body: shown });

  const changed = await host.admin('PATCH', path, { events: ['fault', 'fault'], pools: ['mine'] });
  expect(changed).toMatchObject({ status: 200, body: { ...shown, events: ['fault'], pools: ['mine'] } });
  expect(changed.body).not.toHaveProperty('signingSecret');
  expect(await host.admin('PATCH', path, { signing: false })).toMatchObject({ body: { signing: false } });
  const again = (await host.admin('PATCH', path, { signing: true, pools: null })).body;
  expect(again).toMatchObject({
    signing: true,
    pools: null,
    signingSecret: expect.stringMatching(/^whsec_/),
  });
  expect(again.signingSecret).not.toBe(created.body.signingSecret);
  for (const { text } of [created, changed, await host.admin('GET', alerts)])
    expect(text).not.toContain(secret);

  expect(await host.admin('DELETE', path)).toMatchObject({ status: 204 });
  for (const [method, end] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const) {
    const body = method === 'PATCH' ? {} : undefined;
    expect(await host.admin(method, path + end, body)).toMatchObject({
      status: 404,
      body: { code: 'alert_not_found' },
    });
  }
});

test.each([
  ['no name', { name: undefined }, 'name'],
  ['a blank name', { name: ' ' }, 'name'],
  ['a name too long', { name: 'n'.repeat(201) }, 'name'],
  ['no address', { url: undefined, auth: undefined }, 'url'],
  ['a private address', { url: 'https://10.1.2.3/' }, 'url'],
  ['a password in the address', { url: 'https://user:pass@example.com/' }, 'url'],
  ['an address too long', { url: `http://127.0.0.1/${'a'.repeat(2048)}` }, 'url'],
  ['no auth', { auth: undefined }, 'auth'],
  ['a header of the service', { auth: { type: 'header', name: 'Host', value: 'x' } }, 'auth.name'],
  ['both a url and an email', { email: 'ops@example.com' }, 'email'],
  ['no event', { events: [] }, 'events'],
  ['an unknown event', { events: ['delivery.lost'] }, 'events[0]'],
  ['events that are too many', { events: Array(21).fill('fault') }, 'events'],
  ['no pool', { pools: [] }, 'pools'],
  ['an unknown pool', { pools: ['mine', 'no-such-pool'] }, 'pools[1]'],
  ['pools that are too many', { pools: Array.from({ length: 101 }, (_, n) => `p${n}`) }, 'pools'],
  ['another field', { secret: 'x' }, 'secret'],
])('an alert is not created with %s', async (_, change, path) => {
  const answer = await make(change);
  expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } });
  expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
});

test('without a mail server, the answer to a mail address names the settings', async () => {
  const answer = await host.admin('POST', alerts, { name: 'On call', email: 'ops@example.com' });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'email' }] } });
  expect(answer.text).toContain('SMTP_URL');
  expect(answer.text).toContain('ALERT_FROM');
});

test('credentials go to another address only if they are given again', async () => {
  const path = `${alerts}/${await idOf({ auth: { type: 'basic', username: 'user', password: secret } })}`;
  const other = { url: 'http://127.0.0.1:10/hooks' };
  for (const change of [other, { url: `${url}&of=another` }]) {
    expect(await host.admin('PATCH', path, change)).toMatchObject({
      status: 400,
      body: { code: 'malformed', errors: [{ path: 'auth' }] },
    });
  }
  expect(await host.admin('PATCH', path, { url })).toMatchObject({ status: 200 });
  const auth = { type: 'header', name: 'X-Own', value: secret };
  expect(await host.admin('PATCH', path, { ...other, auth })).toMatchObject({ status: 200, body: other });
});

test('a webhook stays one', async () => {
  const change = await host.admin('PATCH', `${alerts}/${await idOf()}`, { email: 'ops@example.com' });
  expect(change).toMatchObject({ status: 400, body: { errors: [{ path: 'email' }] } });
});

describe('people', () => {
  const credential = async (settings: Readonly<Record<string, unknown>>) =>
    host.as(
      textAt((await host.admin('POST', '/v1/admin/credentials', { name: 'Ada', ...settings })).body, 'token'),
    );
  const settings = { name: 'Own', url, auth: { type: 'none' } };

  test('an operator of some pools has the alerts of these pools, and no others', async () => {
    const operator = await credential({ role: 'operator', pools: ['mine'] });
    for (const pools of [undefined, null, ['theirs'], ['mine', 'theirs']]) {
      const body = pools === undefined ? settings : { ...settings, pools };
      expect(await operator('POST', alerts, body)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    }
    const own = await operator('POST', alerts, { ...settings, pools: ['mine'] });
    expect(own.status).toBe(201);
    const path = `${alerts}/${textAt(own.body, 'id')}`;
    expect(await operator('PATCH', path, { pools: null })).toMatchObject({ status: 403 });
    expect(await operator('PATCH', path, { name: 'Ours' })).toMatchObject({ status: 200 });
    for (const pools of [null, ['theirs'], ['mine', 'theirs']]) {
      const id = await idOf({ pools });
      for (const method of ['GET', 'DELETE'])
        expect(await operator(method, `${alerts}/${id}`)).toMatchObject({ status: 403 });
      expect(await operator('POST', `${alerts}/${id}/test`)).toMatchObject({ status: 403 });
    }
    const { items } = (await operator('GET', alerts)).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Ours']);
  });

  test('a viewer sees whose an address is, but not its secret', async () => {
    const viewer = await credential({ role: 'viewer' });
    const id = await idOf({ auth: { type: 'basic', username: 'user', password: secret } });
    const shown = await viewer('GET', `${alerts}/${id}`);
    expect(shown).toMatchObject({
      status: 200,
      body: { url: 'http://127.0.0.1:9/…', auth: { type: 'basic' } },
    });
    expect(await viewer('POST', alerts, settings)).toMatchObject({ status: 403 });
    for (const { text } of [shown, await viewer('GET', alerts)]) {
      expect(text).not.toMatch(/T0-of-a-chat|xyz-of-it|s3cret/);
    }
  });
});

test('there are at most a hundred of all pools', async () => {
  const { items } = (await host.admin('GET', `${alerts}?limit=100`)).body;
  for (const { id, pools } of items) if (pools !== null) await host.admin('DELETE', `${alerts}/${id}`);
  const ofAll = items.filter(({ pools }: { pools: string[] | null }) => pools === null).length;
  const created = await Promise.all(Array.from({ length: 101 - ofAll }, () => make()));
  expect(created.filter(({ status }) => status === 409)).toMatchObject([
    { body: { code: 'too_many_alerts' } },
  ]);
  expect((await host.admin('GET', `${alerts}?limit=100`)).body).toMatchObject({ next: null });
  const first = await host.admin('GET', `${alerts}?limit=60`);
  const next = encodeURIComponent(textAt(first.body, 'next'));
  expect((await host.admin('GET', `${alerts}?limit=60&cursor=${next}`)).body.items).toHaveLength(40);
  expect(await host.admin('GET', `${alerts}?cursor=x`)).toMatchObject({ status: 400 });
  expect(await host.admin('GET', '/v1/admin/sent-alerts?cursor=x')).toMatchObject({ status: 400 });
});

test('a test reports the receiver’s answer', async () => {
  const receiver = await startWebhookReceiver();
  await host.admin('DELETE', `${alerts}/${(await host.admin('GET', alerts)).body.items[0].id}`);
  const id = await idOf({ url: receiver.url });
  const path = `${alerts}/${id}`;
  expect(await host.admin('POST', `${path}/test`)).toMatchObject({
    status: 200,
    body: { ok: true, status: 200, durationMs: expect.any(Number) },
  });
  const [request] = receiver.received;
  expect(JSON.parse(String(request?.body))).toEqual({
    type: 'test',
    at: expect.any(String),
    message: expect.stringContaining('On call'),
    leftOut: 0,
    link: `${host.url}/console/alerts`,
  });
  await receiver.close();
  expect(await host.admin('POST', `${path}/test`)).toMatchObject({
    status: 200,
    body: { ok: false, errorCode: 'connection_refused', message: expect.any(String) },
  });
});
