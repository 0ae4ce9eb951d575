import type { RequestLimits } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { startSystemFor, startTestHost, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';

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
  expect(refused).toMatchObject({ status: 503, body: { code: 'booking_system_rate_limited' } });
  expect(refused.body.message).toMatch(/^Limited was not asked: .*\(8 in 3600 s\)/);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(await read('BK-1001')).toMatchObject({ status: 200, body: { stale: true } });
});
