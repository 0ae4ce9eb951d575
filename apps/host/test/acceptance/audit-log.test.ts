import { startWebhookReceiver } from '@waiver-service/simulator';
import {
  documentedOperations,
  filledPath,
  openRawConnection,
  startSystemFor,
  type TestCaller,
  textAt,
  until,
} from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
let system: Awaited<ReturnType<typeof startSystemFor>>;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let app: TestCaller;
let bookingId: string;

const pool = '/v1/admin/pools/mine';

beforeAll(async () => {
  [host, system, receiver] = await Promise.all([
    startTestHost({ ROLE: 'api' }),
    startSystemFor('standard'),
    startWebhookReceiver(),
  ]);
  app = await host.makePool('mine');
  await host.connect('standard', system, 'mine');
  bookingId = system.bookings.all[0]?.id ?? '';
});
afterAll(async () => {
  await host?.close();
  await Promise.all([system?.close(), receiver?.close()]);
});

const entries = async (query = '', as: TestCaller = host.admin) =>
  (await as('GET', `/v1/admin/audit?limit=100&${query}`)).body.items;

/** The entries of some calls, oldest first. */
async function entriesOf(calls: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const [last] = await entries();
  await calls();
  const all = await entries();
  return all
    .slice(
      0,
      all.findIndex(({ id }: { id: string }) => id === last.id),
    )
    .toReversed();
}

async function person(settings: Readonly<Record<string, unknown>>) {
  const { body } = await host.admin('POST', '/v1/admin/credentials', { name: 'Ada', ...settings });
  return { actor: `credential:${textAt(body, 'id')}`, as: host.as(textAt(body, 'token')) };
}

test('an entry names the actor, the action, its target, the address and the result', async () => {
  const ada = await person({ role: 'operator', pools: ['mine'] });
  const webhook = { url: receiver.url, auth: { type: 'none' } };
  let id = '';
  let requestId: string | null = '';
  const entries = await entriesOf(async () => {
    const created = await ada.as('POST', `${pool}/webhooks`, webhook);
    id = textAt(created.body, 'id');
    requestId = created.headers.get('x-request-id');
    await ada.as('PATCH', `${pool}/webhooks/${id}`, { signing: true });
    await ada.as('POST', `${pool}/webhooks/${id}/rotate-secret`);
    await ada.as('DELETE', `${pool}/webhooks/${id}`);
    await ada.as('DELETE', `${pool}/webhooks/${id}`);
  });
  const by = { actor: ada.actor, actorName: 'Ada', pool: 'mine', address: '127.0.0.1' };
  const times = { id: expect.any(String), at: expect.stringMatching(/Z$/) };
  expect(entries[0]).toEqual({
    ...by,
    ...times,
    action: 'webhook.create',
    target: id,
    status: 201,
    requestId,
  });
  expect(entries.slice(1)).toMatchObject([
    { ...by, action: 'webhook.change', target: id, status: 200 },
    { ...by, action: 'webhook-secret.rotate', target: id, status: 200 },
    { ...by, action: 'webhook.delete', target: id, status: 204 },
    { ...by, action: 'webhook.delete', target: id, status: 404 },
  ]);
});

test('the pool of an id, and the parts of a longer path, are in the entry', async () => {
  await host.admin('POST', `${pool}/webhooks`, { url: receiver.url, auth: { type: 'none' } });
  await app('POST', '/v1/pools/mine/waivers', { id: 'W-1', answers: { name: 'Grace' } });
  const [delivery] = (await host.admin('GET', '/v1/admin/deliveries?waiverId=W-1')).body.items;
  const mine = await person({ role: 'operator', pools: ['mine'] });
  const since = '2020-01-01T00:00:00Z';
  const entries = await entriesOf(async () => {
    await host.admin('POST', `/v1/admin/destinations/${delivery.destination}/pause`);
    await host.admin('POST', `/v1/admin/deliveries/${delivery.id}/retry`);
    await host.admin('POST', '/v1/admin/deliveries/recover', { since });
    await host.admin('POST', '/v1/admin/deliveries/recover', { since, pool: 'mine' });
    await mine.as('POST', '/v1/admin/deliveries/recover', { since });
    await host.admin('POST', '/v1/admin/booking-systems/standard/install-keys');
    await host.admin('PUT', pool, { name: 'Mine' });
  });
  expect(entries).toMatchObject([
    {
      actor: 'admin-token',
      actorName: 'admin',
      action: 'destination.pause',
      pool: 'mine',
      target: delivery.destination,
    },
    { action: 'delivery.retry', pool: 'mine', target: delivery.id, status: 202 },
    { action: 'deliveries.recover', target: expect.any(String), status: 202 },
    { action: 'deliveries.recover', pool: 'mine' },
    { action: 'deliveries.recover', pool: 'mine', actor: mine.actor },
    { action: 'install-key.create', target: expect.stringMatching(/^standard\/[0-9a-f-]{36}$/) },
    { action: 'pool.put', pool: 'mine' },
  ]);
  expect(entries[2]).not.toHaveProperty('pool');
  expect(entries[6]).not.toHaveProperty('target');
});

test('every change by a person is in it, whatever the route', async () => {
  const operations = await documentedOperations(host.url);
  // A reading whose question is a secret, and in its body therefore.
  const reading = '/v1/admin/pools/{pool}/check-in-links/find';
  const changes = operations.filter(
    ({ method, path, needsToken }) => needsToken && method !== 'GET' && path !== reading,
  );
  const missing: string[] = [];
  for (const { method, path } of changes) {
    const dated = path.replace('{date}', '2027-06-12');
    const address = filledPath(dated, { pool: 'nowhere', bookingSystem: 'standard', other: 'x' });
    const body = bodyThatIsValid(method, path);
    const entries = await entriesOf(() => host.admin(method, address, body));
    if (entries.length !== 1) missing.push(`${method} ${path}`);
  }
  expect(missing, 'give bodyThatIsValid a body that the route takes').toEqual([]);
});

/** The audit log has what gets as far as the handler. */
function bodyThatIsValid(method: string, path: string): unknown {
  const bodies: Readonly<Record<string, unknown>> = {
    'POST /v1/admin/credentials': { name: 'Bob', role: 'viewer' },
    'POST /v1/admin/deliveries/recover': { since: '2020-01-01T00:00:00Z' },
    'PUT /v1/admin/booking-systems/{booking_system}': {},
    'PUT /v1/admin/pools/{pool}': { name: 'x' },
    'PATCH /v1/admin/pools/{pool}/installations/{booking_system}': { shareProperties: [] },
    'PUT /v1/admin/pools/{pool}/installations/{booking_system}': { accountId: 1, apiKey: 'k' },
    'POST /v1/admin/pools/{pool}/installations/{booking_system}/check': { bookingId: 'B' },
    'POST /v1/admin/pools/{pool}/installations/{booking_system}/test': { bookingId: 'B' },
    'POST /v1/admin/pools/{pool}/webhooks': { url: receiver.url, auth: { type: 'none' } },
    'PATCH /v1/admin/pools/{pool}/webhooks/{id}': {},
    'POST /v1/admin/pools/{pool}/erasures': { email: 'nobody@example.com' },
    'PUT /v1/admin/pools/{pool}/waivers/{id}/hold': { reason: 'x' },
    'POST /v1/admin/pools/{pool}/unmatched-waivers/{id}/attach': { bookingGuestId: null },
    'POST /v1/admin/pools/{pool}/check-in-links/find': { token: 'wsg_x' },
    'PUT /v1/admin/pools/{pool}/days/{date}/bookings/{booking_id}/arrivals': {
      bookingSystem: 'standard',
      guests: ['guest:G-1'],
      arrived: true,
    },
    'PUT /v1/admin/pools/{pool}/days/{date}/waivers/{id}/arrival': { arrived: true },
    'PUT /v1/admin/pools/{pool}/waivers/{id}/booking': { bookingId: 'B' },
    'POST /v1/admin/pools/{pool}/late-signings/{id}/accept': {},
    'POST /v1/admin/pools/{pool}/kiosks': { name: 'x', pin: '2468' },
    'PATCH /v1/admin/pools/{pool}/kiosks/{id}': {},
    'POST /v1/admin/pools/{pool}/forms': { name: 'x' },
    'PUT /v1/admin/pools/{pool}/forms/{form}/draft': {},
    'POST /v1/pools/{pool}/check-in-links': { desk: true },
    'PUT /v1/admin/pools/{pool}/invitations': {},
    'POST /v1/admin/pools/{pool}/invitations/preview': { language: 'en' },
    'POST /v1/admin/alerts': { name: 'x', url: receiver.url, auth: { type: 'none' } },
    'PATCH /v1/admin/alerts/{id}': {},
    'POST /v1/pools/{pool}/waivers': { answers: { name: 'x' } },
    'PATCH /v1/pools/{pool}/waivers/{id}': {},
  };
  return bodies[`${method} ${path}`];
}

test('a change that cannot be recorded is not made', async () => {
  const before = await host.admin('GET', pool);
  const connection = await openRawConnection(host.databaseUrl);
  if (connection === undefined) throw new Error('no connection to the database');
  await connection.run('alter table audit_entry rename to audit_entry_gone');
  try {
    expect(await host.admin('PUT', pool, { name: 'changed' })).toMatchObject({ status: 500 });
    expect((await host.admin('GET', pool)).body).toEqual(before.body);
  } finally {
    await connection.run('alter table audit_entry_gone rename to audit_entry');
    connection.end();
  }
  expect(await host.admin('PUT', pool, { name: 'changed' })).toMatchObject({ status: 200 });
});

test('a person who reads or lists guests’ data is in it, once a minute; a waiver app is not', async () => {
  await app('POST', '/v1/pools/mine/waivers', { id: 'W-2', answers: { name: 'Grace' } });
  const [delivery] = (await host.admin('GET', '/v1/admin/deliveries?waiverId=W-2')).body.items;
  const viewer = await person({ role: 'viewer' });
  const addresses = [
    '/v1/pools/mine/waivers/W-2',
    `/v1/pools/mine/bookings/${bookingId}`,
    `/v1/admin/deliveries/${delivery.id}`,
    '/v1/pools/mine/waivers',
    '/v1/pools/mine/waivers?state=signed',
    '/v1/pools/mine/changes',
    `/v1/pools/mine/bookings?from=2020-01-01&until=2020-01-02`,
    '/v1/admin/deliveries',
    '/v1/admin/deliveries?pool=mine',
    `${pool}/unmatched-waivers`,
    `${pool}/waivers/W-2/versions`,
  ];
  const operator = await person({ role: 'operator' });
  const entries = await entriesOf(async () => {
    for (const address of addresses) {
      for (const as of [viewer.as, viewer.as, app]) await as('GET', address);
    }
    for (const name of ['Grace', 'Hopper']) await operator.as('GET', `/v1/pools/mine/waivers?search=${name}`);
    await app('PATCH', '/v1/pools/mine/waivers/W-2', { currentPage: null });
  });
  expect(entries).toMatchObject([
    { actor: viewer.actor, action: 'waiver.read', pool: 'mine', target: 'W-2', status: 200 },
    { actor: viewer.actor, action: 'booking.read', pool: 'mine', target: bookingId, status: 200 },
    { actor: viewer.actor, action: 'delivery.read', pool: 'mine', target: delivery.id, status: 200 },
    { actor: viewer.actor, action: 'waivers.list', pool: 'mine', status: 200 },
    { actor: viewer.actor, action: 'changes.list', pool: 'mine', status: 200 },
    { actor: viewer.actor, action: 'bookings.list', pool: 'mine' },
    { actor: viewer.actor, action: 'deliveries.list', status: 200 },
    { actor: viewer.actor, action: 'deliveries.list', pool: 'mine', status: 200 },
    { actor: viewer.actor, action: 'unmatched-waivers.list', pool: 'mine', status: 200 },
    { actor: viewer.actor, action: 'waiver-versions.list', pool: 'mine', target: 'W-2', status: 200 },
    { actor: operator.actor, action: 'waivers.list', pool: 'mine', status: 200 },
  ]);
  expect(entries).toHaveLength(11);
  expect(JSON.stringify(entries)).not.toMatch(/Grace|Hopper/);
});

test('what a person may not do, by their role or their pools, is in it, once a minute', async () => {
  await host.makePool('closed');
  const viewer = await person({ role: 'viewer', pools: ['mine'] });
  const entries = await entriesOf(async () => {
    for (let times = 0; times < 2; times += 1) {
      await viewer.as('PUT', pool, { name: 'x' });
      await viewer.as('GET', '/v1/pools/closed/waivers');
      await viewer.as('GET', '/v1/pools/mine/waivers?search=Grace');
      await viewer.as('GET', '/v1/admin/audit?pool=closed');
      for (const id of ['W-1', 'W-2']) await viewer.as('GET', `/v1/pools/closed/waivers/${id}`);
    }
    // A waiver app is not recorded.
    await app('GET', '/v1/pools/closed/waivers');
  });
  const by = { actor: viewer.actor, status: 403 };
  expect(entries).toMatchObject([
    { ...by, action: 'pool.put', pool: 'mine' },
    { ...by, action: 'waivers.list', pool: 'closed' },
    { ...by, action: 'waivers.list', pool: 'mine' },
    { ...by, action: 'audit-entries.list', pool: 'closed' },
    { ...by, action: 'waiver.read', pool: 'closed', target: 'W-1' },
  ]);
  expect(entries).toHaveLength(5);
  expect(JSON.stringify(entries)).not.toContain('Grace');
});

test('installs by a booking system are in it under its key; one that repeats itself is there once a minute', async () => {
  const key = await host.admin('POST', '/v1/admin/booking-systems/standard-query/install-keys');
  const call = (action: string, body: object) =>
    host.as(null)('POST', `/integration/${action}/standard-query`, { key: textAt(key.body, 'key'), ...body });
  const account = { accountId: 7, apiKey: 'k' };
  const entries = await entriesOf(async () => {
    await call('install', { pool: 'later', ...account });
    await call('install', { pool: 'later', ...account });
    await host.makePool('later');
    await call('install', { pool: 'later', ...account });
    await call('install', { pool: 'later', ...account });
    await call('uninstall', { pool: 'later', ...account });
    await host.as(null)('POST', '/integration/install/standard-query', {
      key: 'wrong',
      pool: 'mine',
      ...account,
    });
  });
  const by = { actor: `install-key:${textAt(key.body, 'id')}`, actorName: 'standard-query', pool: 'later' };
  const ofKeys = entries.filter(({ actor }) => actor !== 'admin-token');
  expect(ofKeys).toMatchObject([
    { ...by, action: 'install', target: 'standard-query', status: 404 },
    { ...by, action: 'install', target: 'standard-query', status: 200 },
    { ...by, action: 'uninstall', target: 'standard-query', status: 200 },
  ]);
  expect(ofKeys).toHaveLength(3);
});

test('a refused sign-in is in it, once an hour for an address', async () => {
  const wrong = host.as(`wsc_${'x'.repeat(43)}`);
  await wrong('GET', '/v1/admin/me');
  await wrong('GET', '/v1/admin/pools');
  await host.as(null)('GET', '/v1/admin/me');
  await host.as('wrong')('GET', '/v1/pools/mine/waivers');
  const refused = await until(async () => {
    const found = await entries('action=sign-in.refuse');
    return found.length > 0 && found;
  }, 'the refusal to be recorded');
  expect(refused).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      actor: 'unknown',
      action: 'sign-in.refuse',
      status: 401,
      requestId: expect.any(String),
      address: '127.0.0.1',
    },
  ]);
});

test('a person sees the entries of their pools; entries without a pool are for owners', async () => {
  await host.makePool('theirs');
  const pools = async (as: TestCaller) =>
    new Set((await entries('', as)).map((entry: { pool?: string }) => entry.pool));
  expect(await pools(host.admin)).toContain(undefined);
  const all = await person({ role: 'viewer' });
  expect(await pools(all.as)).toContain('theirs');
  expect(await pools(all.as)).not.toContain(undefined);
  const theirs = await person({ role: 'operator', pools: ['theirs'] });
  expect([...(await pools(theirs.as))]).toEqual(['theirs']);
  expect(await theirs.as('GET', '/v1/admin/audit?pool=mine')).toMatchObject({ status: 403 });
});
