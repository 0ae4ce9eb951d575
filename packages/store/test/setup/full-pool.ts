import { expect } from 'vitest';
import { encryptedColumns } from '../../src/encryption/encrypted-columns.ts';
import { createEncryption, type EncryptionKey, locate } from '../../src/encryption/encryption.ts';
import {
  claimAll,
  deliver,
  guestUpdate,
  install,
  lose,
  loseWorker,
  openOutbox,
  refuse,
  waiver,
} from './outbox-fixture.ts';

/**
 * A store with a pool `p1` that has something in every table, and beside it a pool `p2`. Of every guest's fields, words
 * begin with `planted`.
 */
export async function openFullPool(key: EncryptionKey) {
  const opened = await openOutbox({ keys: [key] });
  const { store, query } = opened;
  const encryption = createEncryption([key]);
  await store.pools.put({ id: 'p2', name: 'Other' });
  await install(store, { pool: 'p2', accountId: 'a2' });
  await store.waivers.create(waiver({ id: 'other', pool: 'p2', answers: { name: 'Somebody Else' } }));
  const { token } = await store.accessTokens.create('p1');
  const second = await install(store, {
    bookingSystem: 'second',
    accountId: 'a3',
    requestLimits: { per: 'installation', windows: [{ requests: 100, windowMs: 60_000 }] },
  });
  await install(store, {
    bookingSystem: 'third',
    accountId: 'a4',
    requestLimits: { per: 'booking-system', windows: [{ requests: 9, windowMs: 1_000 }] },
  });
  await store.webhooks.create('p1', {
    url: 'https://signed.example/hook',
    auth: { type: 'header', name: 'x-key', value: 'secret' },
    properties: [],
    signing: true,
  });
  for (let number = 0; number < 6; number += 1) {
    const word = (field: string) => `planted${number}${field}`;
    await store.waivers.create(
      waiver({
        id: `w${number}`,
        bookingId: word('Booking'),
        bookingGuestId: word('Guest'),
        answers: {
          name: `${word('First')} ${word('Last')}`,
          email: `${word('Mail')}@example.com`,
          notes: 'a\tb\n\\N',
        },
      }),
    );
  }
  const claimed = await claimAll(store);
  const ofWaiver = (id: string) => {
    const found = claimed.find((each) => each.waiverId === id && each.kind === 'guest-update');
    if (found === undefined) throw new Error(`${id} was not claimed`);
    return found;
  };
  expect(guestUpdate(claimed)).toBeDefined();
  await deliver(store, ofWaiver('w0'));
  await refuse(store, ofWaiver('w1'), 3_600_000);
  await lose(store, ofWaiver('w2'), 3_600_000);
  // Messages left in flight come into doubt; newer versions wait behind it, and supersede what is not.
  await loseWorker(store);
  for (const id of ['w1', 'w2', 'w3']) await store.waivers.update('p1', id, { currentPage: 'second' });
  await query(`
with dead as (delete from pending where waiver_id = 'w4' returning *)
insert into ended (id, pool, state, attempts) select id, pool, 'dead', 6 from dead`);
  await query(`update destination set status = 'paused', paused_by = 'person' where kind = 'guest-webhook'
    and id = (select destination_id from webhook where url like '%signed%')`);
  await query(`update destination set held_until = now() + interval '1 hour'
    where id = (select destination_id from installation where pool = 'p1' and booking_system = 'standard')`);
  await query(
    `update waiver set hold_reason = 'a dispute', held_by = 'Ada', held_at = now() where id = 'w5'`,
  );
  await query(`insert into erasure (id, pool, email_hash, waivers, asked_by, give_up_at, due_at)
    values ('e1', 'p1', 'x', 1, 'Ada', now() + interval '7 days', now() + interval '1 day')`);
  await query(`insert into cached_booking (pool, booking_system, booking_id, fetched, fetched_at)
    values ('p1', 'standard', 'planted0Booking', '{"guest":"planted0Cached"}', now())`);
  await query(`insert into booking_alias (pool, booking_system, alias, booking_id, prune_at)
    values ('p1', 'standard', 'planted0Alias', 'planted0Booking', now() + interval '1 day')`);
  await query(`insert into booking_refresh (pool, booking_system, booking_id, due_at)
    values ('p1', 'standard', 'planted0Booking', now() + interval '1 day')`);
  await query(`insert into booking_changes (pool, booking_system, cursor, due_at, claimed)
    values ('p1', 'standard', 'c1', now() + interval '1 day', true)`);
  await query(`insert into inbound_message (pool, booking_system, message) values ('p1', 'standard', 'm1')`);
  await query(`insert into unmatched_waiver (waiver_id, pool, booking_system, booking_id, reason)
    values ('w3', 'p1', 'standard', 'planted3Booking', 'guest_gone')`);
  await query(`insert into installation_check (pool, booking_system, lease_until)
    values ('p1', 'standard', now())`);
  const [installation] = await query(
    `select destination_id as id from installation where pool = 'p1' and booking_system = 'standard'`,
  );
  const destination = String(installation?.id);
  await query(
    `insert into booking_system_session (destination, version, session_encrypted) values ($1, 3, $2)
    on conflict (destination) do update set version = 3, session_encrypted = $2`,
    [destination, encryption.encrypt(locate(encryptedColumns.session, destination), '{}')],
  );
  await query(
    `insert into vendor_webhook (destination, pool, booking_system, state, key_encrypted, base_urls, due_at)
    values ($1, 'p1', 'standard', 'registered', $2, '{https://eu1.example.com}', now() + interval '1 day')`,
    [destination, encryption.encrypt(locate(encryptedColumns.vendorWebhookKey, destination), 'key')],
  );
  await query(
    `insert into authorization_request (state_hash, destination, booking_system, verifier_encrypted, expires_at)
    values ('s1', $1, 'standard', 'x', now() + interval '1 hour')`,
    [destination],
  );
  await query(
    `insert into destination_activity (destination, at, delivered, failed) values ($1, now(), 3, 4)`,
    [destination],
  );
  await query(`insert into recovery (id, pools, delivery_state, since, until, state, reopened_to)
    values ('r1', '{p1}', 'dead', now(), now(), 'done', gen_random_uuid()),
      ('r2', '{p1,p2}', 'dead', now(), now(), 'done', gen_random_uuid())`);
  await store.credentials.create({ name: 'Guide', role: 'viewer', pools: ['p1', 'p2'] });
  if (second.outcome !== 'installed') throw new Error('not installed');
  return { ...opened, token, apiKey: second.poolKey, destination };
}
