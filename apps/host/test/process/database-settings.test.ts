import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adverseSettings, createTestDatabase, setForDatabase } from '@waiver-service/database/testing';
import { restoreBackup, writeBackup } from '@waiver-service/operations/data';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { openStore } from '@waiver-service/store';
import { adminToken, textAt, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { features } from '../../src/features.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { encryptionKeys, startCheckInHost } from '../harness/test-host.ts';

const answers = { name: 'Back\\slash "O\'Neil" {NULL}', email: 'ann@example.com', feedback: 'NULL' };

test('a host works on a database whose settings change how values are written and statements read', async () => {
  const [database, other, receiver] = await Promise.all([
    createTestDatabase({ empty: true }),
    createTestDatabase({ empty: true }),
    startWebhookReceiver({ auth: { type: 'none' } }),
  ]);
  for (const { url } of [database, other]) await setForDatabase(url, adverseSettings);
  const checkIn = await startCheckInHost({ DATABASE_URL: database.url });
  const { host, system, app, guest } = checkIn;
  onTestFinished(async () => {
    await checkIn.close();
    await Promise.all([receiver.close(), database.drop(), other.drop()]);
  });
  const done = async (caller: typeof app, method: string, path: string, body?: unknown) => {
    const answer = await caller(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };

  expect((await host.admin('GET', '/readyz')).status).toBe(200);
  await done(host.admin, 'POST', '/v1/admin/pools/rafting/webhooks', {
    url: receiver.url,
    auth: { type: 'none' },
    properties: ['name'],
  });
  const signing = checkIn.signing(['1990-05-01'], { bookingGuestIds: ['G-1'] });
  await done(await guest({ bookingId: 'BK-1001' }), 'POST', '/check-in/api/signings', signing);
  await system.untilReceived('guest-update', (requests) => requests.length >= 1);

  const waivers = '/v1/pools/rafting/waivers';
  await done(app, 'GET', '/v1/pools/rafting/bookings/BK-1002');
  const created = await done(app, 'POST', waivers, { id: 'W-1', bookingId: 'BK-1002', answers });
  expect(created.answers).toEqual(answers);
  expect(created.lastVisit).toBe('2027-06-12T07:30:00.000Z');
  await done(app, 'PATCH', `${waivers}/W-1`, { answers: { feedback: null } });
  await receiver.untilReceived('webhook', (requests) => requests.length >= 3);
  const stored = await done(app, 'GET', `${waivers}/W-1`);
  expect(stored).toMatchObject({ version: 2, createdAt: created.createdAt });
  expect(Date.parse(stored.updatedAt)).toBeGreaterThan(Date.now() - 60_000);

  for (const path of [
    `${waivers}?updatedSince=2020-01-01T00:00:00.000Z`,
    `${waivers}?search=back`,
    '/v1/pools/rafting/changes',
  ]) {
    const { items } = await done(app, 'GET', path);
    expect(items.length, path).toBeGreaterThan(0);
  }
  for (const path of [
    'deliveries',
    'destinations',
    'overview?window=1h',
    'audit',
    'pools/rafting/days/2027-06-12',
  ])
    await done(host.admin, 'GET', `/v1/admin/${path}`);
  const { items: signed } = await done(app, 'GET', `${waivers}?bookingId=BK-1001`);
  const evidence = `${waivers}/${textAt(signed, 0, 'id')}/evidence`;
  await until(async () => (await app('GET', evidence)).status === 200, 'the evidence');

  const folder = await mkdtemp(join(tmpdir(), 'waiver-service-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const keys = readSettings({
    DATABASE_URL: database.url,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: encryptionKeys,
  }).encryptionKeys;
  if (keys === undefined) throw new Error('no keys');
  const file = join(folder, 'backup');
  await writeBackup({ databaseUrl: database.url, encryptionKeys: keys, features, file });
  await restoreBackup({ databaseUrl: other.url, encryptionKeys: keys, features, file });
  const restored = await openStore({ databaseUrl: other.url, encryptionKeys: keys, features });
  onTestFinished(() => restored.close());
  const copy = await restored.waivers.get('rafting', 'W-1');
  expect(copy?.updatedAt.toISOString()).toBe(stored.updatedAt);

  const erasure = await done(host.admin, 'POST', '/v1/admin/pools/rafting/erasures', { waiverId: 'W-1' });
  await until(
    async () =>
      (await done(host.admin, 'GET', `/v1/admin/pools/rafting/erasures/${textAt(erasure, 'id')}`)).state ===
      'done',
    'the erasure',
  );
  expect(host.lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});
