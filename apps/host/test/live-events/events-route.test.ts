import { type SimulatedWebhookReceiver, startWebhookReceiver } from '@waiver-service/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { maxStreamsOfSession } from '../../src/live-events/event-streams.ts';
import { type ConnectedHost, startConnectedHost, textAt } from '../harness/connected-host.ts';
import { type EventReader, readEvents } from '../harness/event-stream.ts';
import { startProgram } from '../harness/program.ts';
import { adminToken, until } from '../harness/test-host.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

let receiver: SimulatedWebhookReceiver;
/** Accepts waivers and sends them. */
let sender: ConnectedHost;
/** On the same database; the streams are open here. */
let host: ConnectedHost;
const readers: EventReader[] = [];

async function read(token = adminToken, query = ''): Promise<EventReader> {
  const reader = await readEvents(host.url, bearer(token), query);
  readers.push(reader);
  return reader;
}

async function credential(settings: object): Promise<{ id: string; token: string }> {
  const { body } = await host.admin('POST', '/v1/admin/credentials', { name: 'one', ...settings });
  return { id: textAt(body, 'id'), token: textAt(body, 'token') };
}

async function addWebhook(pool: string): Promise<void> {
  const webhook = { url: receiver.url, auth: { type: 'none' }, properties: ['name'] };
  expect((await sender.admin('POST', `/v1/admin/pools/${pool}/webhooks`, webhook)).status).toBe(201);
}

/** Stores a waiver at the sender. */
async function sign(pool: string): Promise<void> {
  await sender.admin('POST', `/v1/pools/${pool}/waivers`, { answers: { name: 'Ann Unseen' } });
}

/** The cookie of a session of the console, and the header that goes with it. */
async function session(token: string) {
  const { headers, status } = await host.call('POST', '/console/api/session', { token }, { token: null });
  expect(status).toBe(204);
  const [cookie = ''] = headers.get('set-cookie')?.split(';') ?? [];
  return { cookie, 'x-waiver-console': '1' };
}

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  sender = await startConnectedHost();
  host = await startConnectedHost({ DATABASE_URL: sender.databaseUrl, ROLE: 'api' });
  for (const pool of ['mine', 'theirs']) {
    await sender.makePool(pool);
    await addWebhook(pool);
  }
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});
afterAll(async () => {
  await host.close();
  await Promise.all([sender.close(), receiver.close()]);
});

test('a change by another host is an event with only its pool', async () => {
  const { token } = await credential({ role: 'viewer' });
  const reader = await read(token);
  expect(reader.status).toBe(200);
  expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(reader.headers.get('cache-control')).toBe('no-store, no-transform');
  expect(reader.headers.get('x-accel-buffering')).toBe('no');
  expect(reader.events[0]).toEqual({ event: 'resync', data: {} });
  await sign('mine');
  await until(() => reader.changesOf('mine') > 0, 'the event of the change');
  expect(reader.events.find(({ data }) => data.pool === 'mine')).toEqual({
    event: 'change',
    data: { pool: 'mine' },
  });
});

test('a busy pool has at most one event a second', async () => {
  const reader = await read(adminToken, '?pool=mine');
  const since = performance.now();
  for (let times = 0; times < 20; times += 1) {
    await sign('mine');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until(() => reader.changesOf('mine') > 1, 'a second event of the pool');
  expect(reader.changesOf('mine')).toBeLessThanOrEqual(2 + (performance.now() - since) / 1_000);
});

test('a credential hears of its pools only, and of the one that it names', async () => {
  const { token } = await credential({ role: 'operator', pools: ['mine'] });
  const own = await read(token);
  const narrowed = await read(adminToken, '?pool=theirs');
  const all = await read();
  await Promise.all([sign('mine'), sign('theirs')]);
  await until(() => own.changesOf('mine') > 0, 'the own pool');
  await until(() => narrowed.changesOf('theirs') > 0, 'the named pool');
  await until(() => all.changesOf('mine') > 0 && all.changesOf('theirs') > 0, 'both');
  expect([own.changesOf('theirs'), narrowed.changesOf('mine')]).toEqual([0, 0]);
  const other = await readEvents(host.url, bearer(token), '?pool=theirs');
  expect(other.status).toBe(403);
  expect((await host.call('HEAD', '/v1/admin/events')).status).toBe(405);
});

test('how destinations fare is listed with round buckets, of the pools that may be seen', async () => {
  const { token } = await credential({ role: 'viewer', pools: ['mine'] });
  const { status, body } = await host.call('GET', '/v1/admin/destinations/health?window=7d', undefined, {
    token,
  });
  expect(status).toBe(200);
  const mine = (await host.admin('GET', '/v1/admin/destinations')).body.items.filter(
    ({ pool }: { pool: string }) => pool === 'mine',
  );
  expect(body).toMatchObject({ bucketMs: 6 * 3_600_000, next: null });
  expect(Date.parse(body.since) % body.bucketMs).toBe(0);
  expect(body.items.map(({ destination }: { destination: string }) => destination)).toEqual(
    mine.map(({ id }: { id: string }) => id),
  );
});

test('a pause and a resume are announced', async () => {
  const { body } = await host.admin('GET', '/v1/admin/destinations');
  const { id } = body.items.find(({ pool }: { pool: string }) => pool === 'theirs');
  for (const action of ['pause', 'resume']) {
    const reader = await read(adminToken, '?pool=theirs');
    await sender.admin('POST', `/v1/admin/destinations/${id}/${action}`);
    await until(() => reader.changesOf('theirs') > 0, `the ${action} to be announced`);
  }
});

test('a revoked credential and an ended session end their streams at once, and no others', async () => {
  const { id, token } = await credential({ role: 'viewer' });
  const own = await session(token);
  const streams = {
    byToken: await read(token),
    bySession: await readEvents(host.url, own),
    signedOut: await readEvents(host.url, await session(token)),
    other: await read(),
  };
  readers.push(streams.bySession, streams.signedOut);
  expect(streams.bySession.status).toBe(200);
  const out = await session(token);
  const leaving = await readEvents(host.url, out);
  // Another host is asked.
  await sender.call('DELETE', '/console/api/session', undefined, { token: null, headers: out });
  const since = performance.now();
  await leaving.ended;
  await sender.admin('DELETE', `/v1/admin/credentials/${id}`);
  await Promise.all([streams.byToken.ended, streams.bySession.ended, streams.signedOut.ended]);
  // Not by the check that is made every 15 s.
  expect(performance.now() - since).toBeLessThan(14_000);
  const changesBefore = streams.other.changesOf('mine');
  await sign('mine');
  await until(() => streams.other.changesOf('mine') > changesBefore, 'the other stream to go on');
  expect((await readEvents(host.url, bearer(token))).status).toBe(401);
});

test('a session has a few streams at most, so that its browser has connections left', async () => {
  const own = await session(adminToken);
  const open = await Promise.all(
    Array.from({ length: maxStreamsOfSession }, () => readEvents(host.url, own)),
  );
  readers.push(...open);
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const refused = await host.call('GET', '/v1/admin/events', undefined, { token: null, headers: own });
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_streams' } });
  expect(refused.headers.get('retry-after')).toBe('30');
  await open[0]?.close();
  await until(async () => {
    const again = await readEvents(host.url, own);
    readers.push(again);
    return again.status === 200;
  }, 'a closed one to make room');
});

test('a host that is asked to end ends its streams first, and opens none any more', async () => {
  const program = await startProgram({ DATABASE_URL: sender.databaseUrl, ROLE: 'api', DRAIN_TIME: '10m' });
  const reader = await readEvents(program.url, bearer(adminToken));
  program.spawned.process.kill('SIGTERM');
  await reader.ended;
  const refused = await program.call('GET', '/v1/admin/events');
  expect(refused).toMatchObject({ status: 503, body: { code: 'draining' } });
  const signalling = setInterval(() => program.spawned.process.kill('SIGTERM'), 400);
  expect(await program.spawned.ended).toBe(0);
  clearInterval(signalling);
});
