import { expect, test } from 'vitest';
import { defineBookingSystem, prepareBookingSystemContext } from '../src/index.ts';
import { apiKey, byPath, startBookingSystem } from './setup.ts';

const { server, setup } = await startBookingSystem();

let calls = 0;
const signing = defineBookingSystem({
  ...byPath,
  authenticate: ({ account, purpose, method, url }) => {
    calls += 1;
    const signature = `${account.apiKey} of call ${calls}: ${purpose} ${method} ${url.pathname}`;
    return { headers: { 'X-Signature': signature } };
  },
});

test('each use of a prepared installation has its own signal and observer, each request its own authentication', async () => {
  const contextFor = prepareBookingSystemContext({
    plugin: signing,
    outbound: setup.outbound,
    baseUrl: server.baseUrl,
    pool: 'p1',
    settings: {},
    account: { accountId: 1, apiKey },
    purpose: 'guest-update',
  });
  const told: string[] = [];
  const use = (name: string, signal: AbortSignal) =>
    contextFor({ signal, onExchange: ({ status }) => told.push(`${name} ${status}`) });
  const first = use('first', new AbortController().signal);
  const second = use('second', AbortSignal.abort());
  const third = use('third', new AbortController().signal);

  await expect(second.http.get('x')).rejects.toMatchObject({ outboundErrorCode: 'timeout', inDoubt: false });
  expect(second.signal.aborted).toBe(true);
  await first.http.get('x');
  expect(server.takeRequest().headers['x-signature']).toBe(
    `${apiKey} of call 2: guest-update GET /partner/api/x`,
  );
  await first.http.post('y');
  expect(server.takeRequest().headers['x-signature']).toBe(
    `${apiKey} of call 3: guest-update POST /partner/api/y`,
  );
  await third.http.get('x');
  expect(server.takeRequest().headers['x-signature']).toContain('of call 4');
  expect(told).toEqual(['second undefined', 'first 200', 'first 200', 'third 200']);
});

test('headers are computed once for all calls of an installation', async () => {
  let computed = 0;
  const plugin = defineBookingSystem({
    ...byPath,
    headers: ({ account }) => {
      computed += 1;
      return { 'X-Key': account.apiKey };
    },
  });
  const contextFor = prepareBookingSystemContext({
    plugin,
    outbound: setup.outbound,
    baseUrl: server.baseUrl,
    pool: 'p1',
    settings: {},
    account: { accountId: 1, apiKey },
    purpose: 'read',
  });
  for (let call = 0; call < 3; call += 1) await contextFor(new AbortController()).http.get('x');
  expect(server.takeAll().map(({ headers }) => headers['x-key'])).toEqual([apiKey, apiKey, apiKey]);
  expect(computed).toBe(1);
});

test('a context has its installation’s id, or a new one', () => {
  const contextOf = (installation?: string) =>
    prepareBookingSystemContext({
      plugin: defineBookingSystem(byPath),
      outbound: setup.outbound,
      baseUrl: server.baseUrl,
      pool: 'p1',
      settings: {},
      account: { accountId: 1, apiKey },
      purpose: 'read',
      ...(installation === undefined ? {} : { installation }),
    })(new AbortController()).installation;
  expect(contextOf('one')).toBe('one');
  expect(contextOf()).not.toBe(contextOf());
});

test('a plugin that authenticates each request sends no key but the one it adds', async () => {
  const plugin = defineBookingSystem({ ...byPath, authenticate: () => ({ query: { sig: 's' } }) });
  await setup.context(plugin).http.get('x');
  const { url, headers } = server.takeRequest();
  expect(url).toBe('/partner/api/x?sig=s');
  expect(JSON.stringify(headers)).not.toContain(apiKey);
});
