import type { RequestLimits } from '@waiver-service/core';
import {
  maxFailingReads,
  maxReads,
  maxReadsPerInstallation,
  refreshShares,
} from '@waiver-service/integration/testing';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import {
  accountKey,
  prepareInstalled,
  problem,
  startSystemFor,
  startTestHost,
  until,
} from '@waiver-service/testing';
import fc from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';

const installation = fc.integer({ min: 0, max: 12 });
const sourceOf = (place: number) => ({ pool: `p${place}`, bookingSystem: 'standard' });

test('whatever is running and failing: a total limit, two per installation, one per failing one, few failing ones in total', () => {
  const property = fc.property(
    fc.array(fc.record({ wants: fc.array(installation, { maxLength: 30 }), ends: fc.array(fc.nat(20)) })),
    fc.uniqueArray(installation),
    fc.uniqueArray(installation),
    (rounds, failing, held) => {
      const failingSources = failing.map((place) => ({ ...sourceOf(place), isHeld: held.includes(place) }));
      let underWay: number[] = [];
      for (const { wants, ends } of rounds) {
        const shares = refreshShares({ underWay: underWay.map(sourceOf), failing: failingSources });
        const free = new Map<number, number>();
        const freeOf = (place: number) =>
          free.get(place) ??
          shares.listed.find(({ pool }) => pool === `p${place}`)?.free ??
          shares.perInstallation;
        let left = shares.limit;
        for (const place of wants) {
          if (left === 0 || freeOf(place) === 0) continue;
          expect(failing.includes(place) && held.includes(place)).toBe(false);
          free.set(place, freeOf(place) - 1);
          left -= 1;
          underWay.push(place);
        }
        expect(underWay.length).toBeLessThanOrEqual(maxReads);
        const counts = Map.groupBy(underWay, (place) => place);
        for (const [place, reads] of counts) {
          expect(reads.length).toBeLessThanOrEqual(failing.includes(place) ? 1 : maxReadsPerInstallation);
        }
        expect(underWay.filter((place) => failing.includes(place)).length).toBeLessThanOrEqual(
          maxFailingReads,
        );
        underWay = underWay.filter((_, place) => !ends.includes(place));
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('one that is asked for nothing else may have its full share', () => {
  expect(refreshShares({ underWay: [], failing: [] })).toEqual({
    limit: maxReads,
    perInstallation: maxReadsPerInstallation,
    listed: [],
  });
});

const {
  host,
  system: dead,
  app,
  close,
} = await prepareInstalled(startTestHost({ settings: { outboundTimeout: 1_000 } }));
const healthy = await startSystemFor('standard-query');
afterAll(() => Promise.all([close(), healthy.close()]));
await host.connect('standard-query', healthy, 'rafting');

const keys = new Map<string, string>();
const notify = (system: string, id: string) =>
  host.call('POST', `/integration/webhook/${system}?key=${keys.get(system)}`, { id, pool: 'rafting' });
const readsOf = (system: SimulatedBookingSystem) =>
  system.received.filter(({ route }) => route === 'read').length;

for (const name of ['standard', 'standard-query']) {
  const path = `/v1/admin/pools/rafting/installations/${name}`;
  const { body } = await host.admin('PUT', path, { accountId: 4711, apiKey: accountKey });
  keys.set(name, String(body.apiKey));
}

test('many notices of a system that does not respond delay no other, and its reads are soon held back', async () => {
  dead.faults.always('read', { kind: 'hang' });
  const ids = Array.from({ length: 64 }, (_, place) => `BK-dead-${place}`);
  for (const id of ids) expect(await notify('standard', id)).toMatchObject({ status: 200 });
  await until(() => readsOf(dead) > 0, 'a read of the dead system');
  expect(await notify('standard-query', 'BK-1001')).toMatchObject({ status: 200 });
  await until(() => readsOf(healthy) > 0, 'the read of the healthy system', 60_000);
  expect(readsOf(dead)).toBeLessThan(16);

  // After five failures in a row it is not called: the last booking, or the last error, comes without a call.
  const read = (id: string) => app('GET', `/v1/pools/rafting/bookings/${id}?bookingSystem=standard`);
  await until(
    () => host.lines.filter((line) => line.includes('could not be read again')).length >= 5,
    'failures',
  );
  const before = readsOf(dead);
  expect(before).toBeLessThan(20);
  expect(await read('BK-1002')).toMatchObject(problem(504, 'booking_system_timeout'));
  expect(readsOf(dead)).toBe(before);
  // A person who tests the installation is told what it says now.
  dead.faults.clear();
  const test = '/v1/admin/pools/rafting/installations/standard/test';
  expect(await host.admin('POST', test, { bookingId: 'BK-1001' })).toMatchObject({ body: { ok: true } });
  expect(await read('BK-1002')).toMatchObject({ status: 200, body: { stale: false } });
});

test('a booking that was read before comes stale at once while its system is not called', async () => {
  const read = (id: string) => app('GET', `/v1/pools/rafting/bookings/${id}?bookingSystem=standard-query`);
  expect(await read('BK-1001')).toMatchObject({ status: 200, body: { stale: false } });
  healthy.faults.always('read', { kind: 'status', status: 503 });
  for (let time = 0; time < 5; time += 1) await read('BK-1002');
  const before = readsOf(healthy);
  expect(await read('BK-1001')).toMatchObject({
    status: 200,
    body: { stale: true, booking: { id: 'BK-1001' } },
  });
  expect(await read('BK-1002')).toMatchObject(problem(502, 'booking_system_error'));
  expect(readsOf(healthy)).toBe(before);
});

// A window that no machine is too slow for.
const requestLimits: RequestLimits = {
  per: 'installation',
  windows: [{ requests: 8, windowMs: 3_600_000 }],
};
const unlimited = defineBookingSystem({
  installName: 'limited',
  displayName: 'Limited',
  contract: { pathShape: 'path', guestId: 'none' },
});
const plugin = { ...unlimited, capabilities: { ...unlimited.capabilities, requestLimits } };

test('a read beyond the limit is a 503 with Retry-After, or the last booking', async () => {
  // Twice as long as a read waits for its turn: one that was let through must have time for its answer.
  const host = await startTestHost({ plugins: [plugin], settings: { outboundTimeout: 4_000 } });
  const system = await startSystemFor('standard');
  onTestFinished(async () => {
    await host.close();
    await system.close();
  });
  const app = await host.makePool('shore');
  await host.connect('limited', system, 'shore');
  const read = (bookingId: string) => app('GET', `/v1/pools/shore/bookings/${bookingId}`);

  expect(await read('BK-1001')).toMatchObject({ status: 200, body: { stale: false } });
  let others = 0;
  const refused = await until(async () => {
    const answer = await read(`BK-none-${others++}`);
    return answer.status !== 404 && answer;
  }, 'a read beyond the limit');
  expect(refused).toMatchObject(problem(503, 'booking_system_rate_limited'));
  expect(refused.body.message).toMatch(/^Limited was not asked: .*\(8 in 3600 s\)/);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(await read('BK-1001')).toMatchObject({ status: 200, body: { stale: true } });
});
