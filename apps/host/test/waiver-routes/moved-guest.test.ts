import { expect, onTestFinished, test } from 'vitest';
import { startConnectedHost, startSystemFor } from '../harness/connected-host.ts';
import { until } from '../harness/test-host.ts';

test('the booking system takes a waiver from the guest that it is moved from, and has it at the other one', async () => {
  const [host, system] = await Promise.all([startConnectedHost(), startSystemFor('standard')]);
  onTestFinished(async () => {
    await host.close();
    await system.close();
  });
  const app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
  const path = '/v1/pools/rafting/waivers';
  await app('POST', path, {
    id: 'W-1',
    bookingId: 'BK-1001',
    bookingGuestId: 'G-1',
    answers: { name: 'Ann' },
  });
  const moved = await app('PATCH', `${path}/W-1`, { bookingGuestId: 'G-2' });
  expect(moved).toMatchObject({ status: 200, body: { bookingGuestId: 'G-2', deleted: false } });
  const updates = () => system.received.filter(({ method }) => method === 'POST');
  await until(() => updates().at(-1)?.path.includes('/guests/G-2'), 'the other guest’s update');
  expect(updates().at(-2)?.path).toContain('/guests/G-1');
  const bodies = updates()
    .slice(-2)
    .map(({ body }) => JSON.parse(body.toString()));
  expect(bodies).toMatchObject([
    { waiver: { id: 'W-1', bookingGuestId: 'G-1', deleted: true } },
    { waiver: { id: 'W-1', bookingGuestId: 'G-2', deleted: false } },
  ]);
});
