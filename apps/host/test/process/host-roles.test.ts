import { adminToken, startSystemFor, until } from '@waiver-service/testing';
import { expect, test } from 'vitest';
import { createHost } from '../../src/composition/create-host.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { encryptionKeys, startTestHost } from '../harness/test-host.ts';

test('an api host takes waivers and sends none; a dispatcher host sends them and takes none', async () => {
  const bookingSystem = await startSystemFor('standard', { apiKey: 'k' });
  const api = await startTestHost({ ROLE: 'api' });
  await api.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: bookingSystem.url });
  await api.call('PUT', '/v1/admin/pools/p', { name: 'P' });
  await api.call('PUT', '/v1/admin/pools/p/installations/standard', { accountId: 1, apiKey: 'k' });
  const { status, body } = await api.call('POST', '/v1/pools/p/waivers', {
    bookingId: bookingSystem.bookings.all[0]?.id,
    bookingSystem: 'standard',
    answers: { name: 'x' },
  });
  expect(status).toBe(201);
  const state = async () =>
    (await api.call('GET', `/v1/admin/deliveries?waiverId=${body.id}`)).body.items[0].state;
  expect(await state()).toBe('waiting');

  const dispatcher = await createHost(
    readSettings({
      PORT: '0',
      ROLE: 'dispatcher',
      DATABASE_URL: api.databaseUrl,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    }),
  );
  const [update] = await bookingSystem.untilReceived('guest-update', 1);
  expect(update?.body.toString()).toContain(body.id);
  await until(async () => (await state()) === 'delivered', 'the delivery to be recorded');
  const at = async (path: string) => (await fetch(`${dispatcher.url}${path}`)).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/v1/admin/pools'].map(at))).toEqual([
    200, 200, 200, 404,
  ]);
  await dispatcher.close();
  await api.close();
  await bookingSystem.close();
});
