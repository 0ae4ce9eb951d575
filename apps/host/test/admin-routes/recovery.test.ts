import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConnectedHost,
  startConnectedHost,
  startSystemFor,
  type TestCaller,
  textAt,
} from '../harness/connected-host.ts';

let host: ConnectedHost;
let system: SimulatedBookingSystem;
let app: TestCaller;

const waivers = '/v1/pools/rafting/waivers';
const deliveries = '/v1/admin/deliveries';
const sign = (id: string) => app('POST', waivers, { id, bookingId: 'BK-1001', answers: { name: 'Ann' } });
const statesOf = async (waiverId: string): Promise<string[]> =>
  (await host.admin('GET', `${deliveries}?waiverId=${waiverId}`)).body.items.map(
    (item: { state: string }) => item.state,
  );
const deliveryOf = async (waiverId: string) =>
  textAt((await host.admin('GET', `${deliveries}?waiverId=${waiverId}`)).body, 'items', 0, 'id');

beforeAll(async () => {
  [host, system] = await Promise.all([startConnectedHost(), startSystemFor('standard')]);
  app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
});
afterEach(() => system.faults.clear());
afterAll(async () => {
  await host?.close();
  await system?.close();
});

describe('dead deliveries', () => {
  it('shows its attempts, and is delivered when it is retried', async () => {
    system.faults.always('guest-update', { kind: 'status', status: 500, body: 'we are down' });
    await sign('retried');
    await expect.poll(() => statesOf('retried')).toEqual(['dead']);
    const id = await deliveryOf('retried');
    const { body } = await host.admin('GET', `${deliveries}/${id}`);
    expect(body.attempts).toHaveLength(3);
    expect(body.attempts[0]).toMatchObject({
      at: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
      status: 500,
      errorCode: 'http_status',
      trigger: 'schedule',
    });
    expect(JSON.stringify(body)).not.toContain('key-of-the-account');
    const { body: listed } = await host.admin('GET', '/v1/admin/pools/rafting/installations');
    expect(listed.items[0]).toMatchObject({ lastFailure: { status: 500, errorCode: 'http_status' } });

    system.faults.clear();
    expect(await host.admin('POST', `${deliveries}/${id}/retry`)).toMatchObject({
      status: 202,
      body: { deliveryId: id },
    });
    await expect.poll(() => statesOf('retried')).toEqual(['delivered']);
    expect(system.waivers.has('retried')).toBe(true);
  });

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

  it('is not sent after a newer version: the newest one is sent instead', async () => {
    system.faults.always('guest-update', { kind: 'status', status: 500 });
    await sign('older');
    await expect.poll(() => statesOf('older')).toEqual(['dead']);
    const older = await deliveryOf('older');
    system.faults.clear();
    await app('PATCH', `${waivers}/older`, { answers: { name: 'Ann B.' } });
    await expect.poll(() => statesOf('older')).toEqual(['delivered', 'dead']);
    const newest = await deliveryOf('older');
    expect(await host.admin('POST', `${deliveries}/${older}/retry`)).toMatchObject({
      status: 202,
      body: { deliveryId: newest },
    });
  });
});

describe('a destination that is paused by a person', () => {
  it('gets nothing until it is resumed', async () => {
    const { body } = await host.admin('GET', '/v1/admin/destinations');
    const destination = `/v1/admin/destinations/${textAt(body, 'items', 0, 'id')}`;
    expect(await host.admin('POST', `${destination}/pause`)).toMatchObject({
      status: 200,
      body: { status: 'paused' },
    });
    await sign('held');
    await expect.poll(() => statesOf('held')).toEqual(['held']);
    expect(await host.admin('GET', '/v1/admin/destinations')).toMatchObject({
      body: { items: [{ status: 'paused' }] },
    });
    expect(await host.admin('POST', `${destination}/resume`)).toMatchObject({
      status: 200,
      body: { status: 'active' },
    });
    await expect.poll(() => statesOf('held')).toEqual(['delivered']);
    expect(await host.admin('GET', '/v1/admin/pools/rafting/installations')).toMatchObject({
      body: { items: [{ status: 'active', lastSuccessAt: expect.stringMatching(/Z$/) }] },
    });
  });
});
