import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import {
  accountKey,
  startSystemFor,
  startTestHost,
  type TestCaller,
  type TestHost,
  until,
} from '@waiver-service/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ownApi } from '../setup/own-api.ts';

let host: TestHost;
let system: SimulatedBookingSystem;
let app: TestCaller;
const path = '/v1/admin/pools/rafting/installations/standard/check';
const written = () => system.received.filter(({ method }) => method === 'POST').length;

beforeAll(async () => {
  [host, system] = await Promise.all([startTestHost({ plugins: [ownApi] }), startSystemFor('standard')]);
  app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
});
afterEach(() => system.faults.clear());
afterAll(async () => {
  await host?.close();
  await system?.close();
});

interface Line {
  readonly type: string;
  readonly id?: string;
  readonly holds?: boolean | null;
}

async function check(body: object): Promise<Line[]> {
  const { text } = await host.admin('POST', path, body);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('lists its requests beforehand, or says why nothing can be checked', async () => {
  const { body } = await host.admin('GET', path);
  expect(body).toMatchObject({ possible: true, maxSeconds: 60 });
  expect(body.reads.join(' ')).toMatch(/without a key/);
  expect(body.writes.join(' ')).toMatch(/voids/);
  await host.admin('PUT', '/v1/admin/pools/rafting/installations/own-api', {
    shortname: 'a',
    apiKey: 'k',
  });
  const ownCheck = '/v1/admin/pools/rafting/installations/own-api/check';
  expect((await host.admin('GET', ownCheck)).body).toMatchObject({
    possible: false,
    reason: expect.stringMatching(/does not follow the contract/),
  });
  expect(await host.admin('POST', ownCheck, { bookingId: 'B' })).toMatchObject({
    status: 409,
    body: { code: 'check_not_possible' },
  });
  expect(await host.admin('GET', path.replace('standard', 'bookeo'))).toMatchObject({ status: 404 });
});

test('tells each clause, and writes only if that is chosen', async () => {
  const lines = await check({ bookingId: 'BK-1001' });
  expect(lines.at(-1)).toMatchObject({ type: 'end', ok: true, failed: 0, notChecked: 1 });
  expect(lines.at(-2)).toMatchObject({ id: 'write', holds: null, because: 'you chose not to write' });
  expect(written()).toBe(0);
  const writing = await check({ bookingId: 'BK-1001', write: true });
  expect(writing.at(-1)).toMatchObject({ ok: true, notChecked: 0 });
  expect(written()).toBe(7);
  expect([...system.waivers.keys()]).toEqual([]);
});

test('names the failed clauses, without the key', async () => {
  system.faults.always('read', { kind: 'status', status: 500, body: `the key was ${accountKey}` });
  const lines = await check({ bookingId: 'BK-1001' });
  expect(lines.find(({ id }) => id === 'read/answer')).toMatchObject({
    holds: false,
    found: 'status 500',
    change: expect.any(String),
    answer: expect.stringMatching(/^500 the key was/),
  });
  expect(JSON.stringify(lines)).not.toContain(accountKey);
});

test('runs once at a time, is for operators, and takes only a booking id', async () => {
  system.faults.always('read', { kind: 'latency', milliseconds: 2_000 });
  const before = system.received.length;
  const first = check({ bookingId: 'BK-1001' });
  await until(() => system.received.length > before, 'the first check to ask');
  expect(await host.admin('POST', path, { bookingId: 'BK-1001' })).toMatchObject({
    status: 409,
    body: { code: 'check_running' },
  });
  system.faults.clear();
  await first;
  expect((await check({ bookingId: 'BK-1001' })).at(-1)).toMatchObject({ ok: true });
  expect(await app('POST', path, { bookingId: 'BK-1001' })).toMatchObject({ status: 403 });
  expect(await host.admin('POST', path, { bookingId: 'b'.repeat(257) })).toMatchObject({ status: 400 });
  expect(await host.admin('POST', path, { bookingId: 'b', more: 1 })).toMatchObject({ status: 400 });
});
