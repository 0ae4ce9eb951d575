import { startSystemFor, textAt } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startPeopleHost } from '../setup/people-host.ts';

test('an explained booking and the versions of a waiver are in the audit log of who reads them', async () => {
  const [host, system] = await Promise.all([startPeopleHost(), startSystemFor('standard')]);
  onTestFinished(async () => {
    await host.close();
    await system.close();
  });
  const app = await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
  await host.admin('GET', '/v1/pools/rafting/bookings/BK-1001?explain=true');
  const waiver = textAt(
    (await app('POST', '/v1/pools/rafting/waivers', { answers: { name: 'Ida' } })).body,
    'id',
  );
  await host.admin('GET', `/v1/admin/pools/rafting/waivers/${waiver}/versions`);
  const lastOf = async (action: string) =>
    (await host.admin('GET', `/v1/admin/audit?action=${action}`)).body.items[0];
  const who = { actor: 'admin-token', pool: 'rafting' };
  expect(await lastOf('booking.read')).toMatchObject({ ...who, target: 'BK-1001' });
  expect(await lastOf('waiver-versions.list')).toMatchObject({ ...who, target: waiver });
});
