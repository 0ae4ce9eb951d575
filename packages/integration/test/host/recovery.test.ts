import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import {
  startSystemFor,
  startTestHost,
  type TestCaller,
  type TestHost,
  textAt,
} from '@waiver-service/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let host: TestHost;
let system: SimulatedBookingSystem;
let app: TestCaller;

const waivers = '/v1/pools/rafting/waivers';
const deliveries = '/v1/admin/deliveries';
const sign = (id: string) => app('POST', waivers, { id, bookingId: 'BK-1001', answers: { name: 'Ann' } });
const statesOf = async (waiverId: string): Promise<string[]> =>
  (await host.admin('GET', `${deliveries}?waiverId=${waiverId}`)).body.items.map(
    (item: { state: string }) => item.state,
  );

beforeAll(async () => {
  [host, system] = await Promise.all([startTestHost(), startSystemFor('standard')]);
  app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
});
afterEach(() => system.faults.clear());
afterAll(async () => {
  await host?.close();
  await system?.close();
});

describe('dead deliveries', () => {
  it('is delivered in bulk since a time', async () => {
    const since = new Date().toISOString();
    system.faults.always('guest-update', { kind: 'status', status: 503 });
    await Promise.all([sign('bulk-1'), sign('bulk-2')]);
    for (const id of ['bulk-1', 'bulk-2']) {
      await expect.poll(() => statesOf(id)).toEqual(['dead']);
    }
    system.faults.clear();
    expect(await host.admin('POST', `${deliveries}/recover`, { pool: 'nowhere', since })).toMatchObject({
      status: 202,
      body: { recovered: 0 },
    });
    const begun = await host.admin('POST', `${deliveries}/recover`, { pool: 'rafting', since });
    expect(begun).toMatchObject({ status: 202, body: { recoveryId: expect.any(String), recovered: 2 } });
    const recoveryId = textAt(begun.body, 'recoveryId');
    expect(await host.admin('GET', `/v1/admin/recoveries/${recoveryId}`)).toMatchObject({
      status: 200,
      body: { id: recoveryId, state: 'done', recovered: 2, total: 2, createdAt: expect.stringMatching(/Z$/) },
    });
    expect(await host.admin('GET', '/v1/admin/recoveries/none')).toMatchObject({
      status: 404,
      body: { success: false, code: 'recovery_not_found' },
    });
    for (const id of ['bulk-1', 'bulk-2']) {
      await expect.poll(() => statesOf(id)).toEqual(['delivered']);
    }
  });
});
