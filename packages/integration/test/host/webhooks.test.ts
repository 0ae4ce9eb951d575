import { startWebhookReceiver } from '@waiver-service/simulator';
import { malformed, problem, startTestHost, textAt } from '@waiver-service/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

const host = await startTestHost({ settings: { outboundTimeout: 5_000 } });
const receiver = await startWebhookReceiver();
afterAll(() => Promise.all([host.close(), receiver.close()]));
await host.makePool('rafting');
await host.makePool('other');

const webhooks = '/v1/admin/pools/rafting/webhooks';
const secret = 's3cret-value-of-the-webhook';
const make = (change: Record<string, unknown> = {}) =>
  host.admin('POST', webhooks, { url: receiver.url, auth: { type: 'none' }, ...change });
const idOf = async (change: Record<string, unknown> = {}) => textAt((await make(change)).body, 'id');
const testsReceived = () => receiver.received.filter(({ body }) => body.includes('"test-'));

afterEach(async () => {
  receiver.faults.clear();
  const { body } = await host.admin('GET', webhooks);
  for (const { id } of body.items) await host.admin('DELETE', `${webhooks}/${id}`);
});

describe('a webhook', () => {
  it('is refused to a pool that has as many as it may', async () => {
    await host.makePool('crowded');
    const create = () =>
      host.admin('POST', '/v1/admin/pools/crowded/webhooks', { url: receiver.url, auth: { type: 'none' } });
    for (let count = 0; count < 20; count += 1) expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject(problem(409, 'too_many_webhooks'));
    expect((await make()).status).toBe(201);
  });

  it('is created, shown without its credentials, changed and removed', async () => {
    const created = await make({
      auth: { type: 'header', name: 'X-Own', value: secret },
      properties: ['name'],
    });
    expect(created.status).toBe(201);
    const shown = {
      id: expect.any(String),
      pool: 'rafting',
      url: receiver.url,
      auth: { type: 'header', name: 'X-Own' },
      properties: ['name'],
      signing: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(created.body).toEqual(shown);
    const path = `${webhooks}/${textAt(created.body, 'id')}`;
    expect(await host.admin('GET', path)).toMatchObject({ status: 200, body: shown });

    const changed = await host.admin('PATCH', path, {
      auth: { type: 'basic', username: 'user', password: secret },
      properties: ['name', 'email'],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { auth: { type: 'basic' }, properties: ['name', 'email'], url: receiver.url },
    });
    for (const { body } of [created, changed, await host.admin('GET', webhooks)]) {
      expect(JSON.stringify(body)).not.toContain(secret);
    }

    expect(await host.admin('DELETE', path)).toMatchObject({ status: 204 });
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await host.admin(method, path)).toMatchObject(problem(404, 'webhook_not_found'));
    }
    expect(await host.admin('PATCH', path, {})).toMatchObject(problem(404, 'webhook_not_found'));
    expect(await host.admin('POST', `${path}/test`)).toMatchObject({ status: 404 });
    expect(await host.admin('POST', `${path}/rotate-secret`)).toMatchObject({ status: 404 });
  });

  it.each([
    ['a header', { type: 'header', name: 'X-Own', value: secret }],
    ['Basic Auth', { type: 'basic', username: 'user', password: secret }],
  ])('with %s takes it to another address only if it is given again', async (_, auth) => {
    const path = `${webhooks}/${await idOf({ auth })}`;
    const otherPort = 'http://127.0.0.1:9/hooks';
    const elsewhere = `${receiver.url}/elsewhere`;
    for (const url of [otherPort, receiver.url.replace('127.0.0.1', 'localhost'), elsewhere]) {
      const refused = await host.admin('PATCH', path, { url, signing: true });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'malformed', errors: [{ path: 'auth', message: expect.stringContaining('again') }] },
      });
    }
    expect(await host.admin('GET', path)).toMatchObject({ body: { url: receiver.url, signing: false } });
    expect(await host.admin('PATCH', path, { url: receiver.url })).toMatchObject({ status: 200 });
    const again = await host.admin('PATCH', path, { url: elsewhere, auth });
    expect(again).toMatchObject({ status: 200, body: { url: elsewhere } });
    const moved = await host.admin('PATCH', path, { url: otherPort, auth: { type: 'none' } });
    expect(moved).toMatchObject({ status: 200, body: { url: otherPort, auth: { type: 'none' } } });
    expect(await host.admin('PATCH', path, { url: receiver.url })).toMatchObject({ status: 200 });
  });

  const header = (name: string, value: string) => ({ auth: { type: 'header', name, value } });
  const basic = (username: string, password: string) => ({ auth: { type: 'basic', username, password } });

  it.each([
    ['no address', { url: undefined }, 'url'],
    ['an address that is none', { url: 'nowhere' }, 'url'],
    ['a private address', { url: 'https://10.1.2.3/' }, 'url'],
    ['a password in the address', { url: 'https://user:pass@example.com/' }, 'url'],
    ['an address too long', { url: `http://127.0.0.1/${'a'.repeat(2048)}` }, 'url'],
    ['no auth', { auth: undefined }, 'auth'],
    ['an auth of another type', { auth: { type: 'oauth' } }, 'auth.type'],
    ['more in an auth', { auth: { type: 'none', name: 'x' } }, 'auth.name'],
    ['a header without a name', header('', 'v'), 'auth.name'],
    ['a header with a space', header('X Own', 'v'), 'auth.name'],
    ['a header with a line break', header('X-Own\r\nX', 'v'), 'auth.name'],
    ['a header that is too long', header('X'.repeat(129), 'v'), 'auth.name'],
    ['Content-Type', header('Content-Type', 'v'), 'auth.name'],
    ['cache-control', header('cache-control', 'v'), 'auth.name'],
    ['Host', header('Host', 'v'), 'auth.name'],
    ['Content-Length', header('Content-Length', '5'), 'auth.name'],
    ['Transfer-Encoding', header('Transfer-Encoding', 'chunked'), 'auth.name'],
    ['webhook-signature', header('Webhook-Signature', 'v'), 'auth.name'],
    ['an empty value', header('X-Own', ''), 'auth.value'],
    ['a value with a line break', header('X-Own', 'a\r\nb'), 'auth.value'],
    ['a value that ends in a space', header('X-Own', 'a '), 'auth.value'],
    ['a value that is not ASCII', header('X-Own', 'é'), 'auth.value'],
    ['a value too long', header('X-Own', 'v'.repeat(4097)), 'auth.value'],
    ['a username with a colon', basic('a:b', 'p'), 'auth.username'],
    ['no username', basic('', 'p'), 'auth.username'],
    ['a username too long', basic('u'.repeat(257), 'p'), 'auth.username'],
    ['a username with a control character', basic('u\n', 'p'), 'auth.username'],
    ['a password too long', basic('u', 'p'.repeat(1025)), 'auth.password'],
    ['a property of the record itself', { properties: ['reservationsID'] }, 'properties[0]'],
    ['too many properties', { properties: Array.from({ length: 101 }, (_, n) => `p${n}`) }, 'properties'],
    ['signing of another type', { signing: 'yes' }, 'signing'],
    ['another field', { secret: 'x' }, 'secret'],
  ])('is not created with %s', async (_, change, path) => {
    const answer = await make(change);
    expect(answer).toMatchObject(malformed(path));
    expect(JSON.stringify(answer.body)).not.toContain('user:pass');
    if ('url' in change || path === '') return;
    const id = await idOf();
    if (JSON.stringify(change) !== '{}') {
      expect(await host.admin('PATCH', `${webhooks}/${id}`, change)).toMatchObject({ status: 400 });
    }
  });

  it.each([
    ['Authorization as the custom header', header('Authorization', 'Bearer abc')],
    ['a password with a colon', basic('user', 'a:b')],
    ['a password that is not ASCII', basic('user', 'pässword')],
    ['a value of 4096', header('X-Own', 'v'.repeat(4096))],
    ['feedback as a property', { properties: ['feedback'] }],
  ])('may have %s', async (_, change) => {
    expect(await make(change)).toMatchObject({ status: 201 });
  });
});

describe('signing', () => {
  it('shows its secret once, and a new one when it is rotated', async () => {
    const created = await make({ signing: true });
    const first = textAt(created.body, 'signingSecret');
    const path = `${webhooks}/${textAt(created.body, 'id')}`;
    expect(created.body).toMatchObject({ signing: true });
    expect(JSON.stringify((await host.admin('GET', path)).body)).not.toContain(first);
    const rotated = await host.admin('POST', `${path}/rotate-secret`);
    expect(rotated.status).toBe(200);
    const second = textAt(rotated.body, 'signingSecret');
    expect(second).not.toBe(first);

    const before = testsReceived().length;
    await host.admin('POST', `${path}/test`);
    const [request] = testsReceived().slice(before);
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    for (const one of [first, second]) {
      expect(() => new Webhook(one).verify(String(request?.body), headers)).not.toThrow();
    }
  });

  it('is switched on and off by PATCH', async () => {
    const path = `${webhooks}/${await idOf()}`;
    expect(await host.admin('PATCH', path, { signing: true })).toMatchObject({
      body: { signing: true, signingSecret: expect.any(String) },
    });
    const still = await host.admin('PATCH', path, { signing: true });
    expect(still.body).not.toHaveProperty('signingSecret');
    const off = await host.admin('PATCH', path, { signing: false });
    expect(off).toMatchObject({ body: { signing: false } });
    expect(off.body).not.toHaveProperty('signingSecret');
  });
});

describe('the test of a webhook', () => {
  it('sends a record that no one can take for a guest, as the real ones are sent', async () => {
    const id = await idOf({ auth: { type: 'header', name: 'X-Own', value: secret } });
    const before = testsReceived().length;
    const { status, body } = await host.admin('POST', `${webhooks}/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, status: 200, durationMs: expect.any(Number) });
    expect(JSON.stringify(body)).not.toContain(secret);
    const [request] = testsReceived().slice(before);
    expect(request?.headers).toMatchObject({
      'x-own': secret,
      'cache-control': 'no-cache',
      'content-type': 'application/json',
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(JSON.parse(String(request?.body))).toEqual({
      guest: {
        id: textAt(body, 'guestId'),
        pool: 'rafting',
        activities: [],
        createdAt: time,
        updatedAt: time,
        lastVisit: time,
        deleted: false,
        feedback: expect.stringContaining('test'),
        currentPage: null,
        reservationsID: null,
        reservationsService: '',
      },
    });
    expect(textAt(body, 'guestId')).toMatch(/^test-/);
  });

  it.each([
    ['a refusal', { kind: 'status', status: 403, body: 'who?' }, { status: 403, errorCode: 'http_status' }],
    ['a fault', { kind: 'status', status: 500 }, { status: 500, errorCode: 'http_status' }],
    ['a redirect', { kind: 'redirect', location: 'http://127.0.0.1:1/' }, { errorCode: 'redirect' }],
    ['a reset', { kind: 'reset', when: 'before-answer' }, { errorCode: 'connection_reset' }],
    ['silence', { kind: 'hang' }, { errorCode: 'timeout' }],
  ] as const)('reports the receiver’s answer: %s', async (_, fault, expected) => {
    const id = await idOf();
    receiver.faults.always('webhook', fault);
    expect(await host.admin('POST', `${webhooks}/${id}/test`)).toMatchObject({
      status: 200,
      body: { ok: false, durationMs: expect.any(Number), ...expected },
    });
  });
});
