import { createOutbound, type Outbound } from '@waiver-service/outbound';
import { type SimulatedBookingSystem, startBookingSystem } from '@waiver-service/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CheckOptions, checkContract, sentByCheck } from '../src/index.ts';

const apiKey = 'the-account-key-of-the-check';
let system: SimulatedBookingSystem;
let outbound: Outbound;

beforeEach(async () => {
  system = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey,
    pathShape: 'path',
    form: 'current',
  });
  outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 2_000 });
});
afterEach(async () => {
  await outbound.close();
  await system.close();
});

const options = (more: Partial<CheckOptions> = {}): CheckOptions => ({
  bookingApi: system.url,
  apiKey,
  pool: 'rafting',
  bookingId: 'BK-1001',
  missingBookingId: 'none',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  authHeaderName: 'api-key',
  guestUpdateAuthHeaderName: 'API-key',
  write: false,
  advice: { booking: 'B', readKey: 'R', guestUpdateKey: 'G', nothingWritten: 'nothing was written' },
  ...more,
});

const callsOf = (method: string) => system.received.filter((request) => request.method === method).length;

test('each clause is told when it is checked, and nothing is written unless that is wished', async () => {
  const told: string[] = [];
  const { ok, clauses } = await checkContract(options(), { outbound, onClause: ({ id }) => told.push(id) });
  expect(ok).toBe(true);
  expect(told).toEqual(clauses.map(({ id }) => id));
  expect(clauses.at(-1)).toMatchObject({ id: 'write', verdict: { because: 'nothing was written' } });
  expect(callsOf('POST')).toBe(0);
});

test('what is said beforehand is what is sent', async () => {
  const { reads, writes } = sentByCheck('path');
  await checkContract(options({ write: true }), { outbound });
  expect(reads).toHaveLength(4);
  // The booking, the same encoded, two refusals, two missing ones.
  expect(callsOf('GET')).toBe(6);
  expect(writes).toHaveLength(3);
  // Of the first waiver: new, later, wrong key, voided, voided in the end; of the second: new, voided in the end.
  expect(callsOf('POST')).toBe(7);
  expect([...system.waivers.keys()]).toEqual([]);
});

test('no waiver id of a check is that of a former check, whose voids a partner may remember', async () => {
  const withIds = options({ write: true, guestId: 'waiver-id' });
  for (let run = 0; run < 2; run += 1) await checkContract(withIds, { outbound });
  const writes = system.received.filter(({ method }) => method === 'POST');
  const ids = writes.map(({ path }) => decodeURIComponent(path.replace(/^.*\/|\?.*$/g, '')));
  expect(new Set(ids).size).toBe(4);
  expect(ids.map((id) => Buffer.byteLength(id)).filter((bytes) => bytes === 256)).toHaveLength(4);
});

test('a check that is broken off while it writes voids what it wrote, and fails no clause for it', async () => {
  const breakOff = new AbortController();
  const { clauses } = await checkContract(options({ write: true }), {
    outbound,
    signal: breakOff.signal,
    onClause: ({ id }) => {
      if (id === 'write/accepted') breakOff.abort();
    },
  });
  expect([...system.waivers.keys()]).toEqual([]);
  expect(clauses.filter(({ verdict }) => verdict.holds === false)).toEqual([]);
  expect(clauses.at(-1)).toMatchObject({ verdict: { because: expect.stringMatching(/broken off/) } });
});

test('a check that is broken off before it writes writes nothing', async () => {
  const breakOff = new AbortController();
  await checkContract(options({ write: true }), {
    outbound,
    signal: breakOff.signal,
    onClause: ({ id }) => {
      if (id === 'read/answer') breakOff.abort();
    },
  });
  expect(callsOf('POST')).toBe(0);
});
