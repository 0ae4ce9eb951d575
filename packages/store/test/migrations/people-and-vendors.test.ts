import { expect, test } from 'vitest';
import { createEncryption } from '../../src/encryption/encryption.ts';
import { encryptAccount } from '../../src/installations/installation.ts';
import { openBefore } from '../setup/open-before.ts';
import { testKey } from '../setup/open-test-store.ts';

const token = 'wst_a-token-from-before';

/** A database as it was before sessions, aliases, people and vendor webhooks, in use by one pool. */
async function openFormer() {
  const key = testKey();
  const { client, migrated } = await openBefore('0009', key);
  const account = encryptAccount(createEncryption([key]), 'p1', 'polled', { apiKey: 'k', information: {} });
  await client.query(`insert into pool (id, name) values ('p1', 'One')`);
  await client.query(`insert into destination (id, pool, kind, status) values
    ('d1', 'p1', 'guest-update', 'active'), ('d2', 'p1', 'guest-update', 'closed')`);
  await client.query(
    `insert into installation (pool, booking_system, destination_id, account_id, account_id_is_number,
      account_encrypted, write_unit, guest_id, takes_guest_updates, made_by, status, installed_at) values
    ('p1', 'polled', 'd1', '7', true, $1, 'waiver', 'booking-guest-id', true, 'operator', 'installed', now()),
    ('p1', 'gone', 'd2', null, false, null, 'waiver', 'booking-guest-id', true, 'operator', 'uninstalled', now())`,
    [account],
  );
  await client.query(`insert into access_token (id, pool, hash, hint)
    values ('t1', 'p1', sha256('${token}'::bytea), 'wst_…fore')`);
  await client.query(`insert into recovery (id, pool, delivery_state, since, until, reopened_to, state) values
    ('r1', 'p1', 'dead', now() - interval '1 day', now(), gen_random_uuid(), 'done'),
    ('r2', null, 'dead', now() - interval '1 day', now(), gen_random_uuid(), 'done')`);
  return { client, migrated };
}

test('tokens, recoveries and installations from before continue', async () => {
  const { client, migrated } = await openFormer();
  const store = await migrated();
  const setup = await store.accessTokens.verify(token);
  expect(setup).toMatchObject({
    pool: 'p1',
    bookingSystems: ['polled'],
    token: { scopes: ['bookings:read', 'waivers:write', 'waivers:read', 'waivers:list'] },
  });
  expect((await store.accessTokens.list('p1', { limit: 10 })).items).toMatchObject([
    { id: 't1', name: null, expiresAt: null },
  ]);
  const recoveries = await client.query('select pools from recovery order by id');
  expect(recoveries.rows).toEqual([{ pools: ['p1'] }, { pools: null }]);
  expect(await store.installations.list('p1')).toMatchObject([
    { bookingSystem: 'polled', accountId: 7, status: 'active', baseUrl: null, environment: null },
  ]);
  expect(await store.installations.get('p1', 'polled')).toMatchObject({
    account: { accountId: 7, apiKey: 'k' },
  });
  expect(await store.installations.poolsOfAccount('polled', 7)).toEqual([{ pool: 'p1', pending: false }]);
  const claimed = await store.bookingChanges.claim({
    bookingSystems: ['polled', 'gone'],
    limit: 10,
    leaseMs: 60_000,
  });
  expect(claimed).toMatchObject([{ pool: 'p1', bookingSystem: 'polled', cursor: null }]);
  await store.installations.applyManifest({
    bookingSystem: 'polled',
    writeUnit: 'waiver',
    guestId: 'booking-guest-id',
    takesGuestUpdates: true,
    registersWebhooks: true,
  });
  expect(await store.installations.list('p1')).toMatchObject([{ webhooks: { state: 'registering' } }]);
});
