import {
  createEncryption,
  type EncryptedColumn,
  type EncryptionKey,
  locate,
  UnsuitableDatabase,
  WrongEncryptionKeys,
} from '@waiver-service/database';
import { createTestDatabase, untilBlocked } from '@waiver-service/database/testing';
import { openStore, rotateEncryptionKeys } from '@waiver-service/store';
import { allEncryptedColumns } from '@waiver-service/store/features';
import { openTestStore as open, testKey } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { features } from '../../src/features.ts';

const listedColumns = allEncryptedColumns(features);

const nameOf = ({ table, column }: EncryptedColumn) => `${table}.${column}`;

async function openTestStore(keys: readonly EncryptionKey[] = [testKey()]) {
  const opened = await open({ keys, features });
  onTestFinished(opened.close);
  return opened;
}

/** A database with a value in every encrypted column, each the column's name, and the given number of webhooks. */
async function openEncrypted(webhooks = 1) {
  const former = testKey('former');
  const { url, query } = await openTestStore([former]);
  const encryption = createEncryption([former]);
  const at = (name: string, ...row: string[]) => {
    const column = listedColumns.find((candidate) => nameOf(candidate) === name);
    if (column === undefined) throw new Error(`${name} is not listed`);
    return encryption.encrypt(locate(column, ...row), name);
  };
  await query('update email_hash_key set key_encrypted = $1', [at('email_hash_key.key_encrypted', 'guests')]);
  await query(`insert into pool (id, name) values ('p1', 'One')`);
  await query(
    `insert into destination (id, pool, kind) values ('d1', 'p1', 'guest-update'), ('d2', 'p1', 'guest-update')`,
  );
  await query('insert into booking_system (install_name, settings_encrypted) values ($1, $2), ($3, null)', [
    'standard',
    at('booking_system.settings_encrypted', 'standard'),
    'without-settings',
  ]);
  await query(
    `insert into installation (pool, booking_system, destination_id, account_id, account_encrypted, write_unit,
      takes_guest_updates, made_by, status, installed_at)
    values ('p1', 'standard', 'd1', '7', $1, 'waiver', true, 'operator', 'installed', now())`,
    [at('installation.account_encrypted', 'p1', 'standard')],
  );
  await query('insert into booking_system_session (destination, session_encrypted) values ($1, $2)', [
    'd1',
    at('booking_system_session.session_encrypted', 'd1'),
  ]);
  const state = Buffer.from('a state as its hash');
  await query(
    `insert into authorization_request (state_hash, destination, booking_system, verifier_encrypted, expires_at)
    values ($1, 'd1', 'standard', $2, now() + interval '1 hour')`,
    [state, at('authorization_request.verifier_encrypted', state.toString('base64url'))],
  );
  await query(
    `insert into vendor_webhook (destination, pool, booking_system, state, key_encrypted, account_encrypted)
    values ('d1', 'p1', 'standard', 'registered', $1, null), ('d2', 'p1', 'standard', 'removing', null, $2)`,
    [at('vendor_webhook.key_encrypted', 'd1'), at('vendor_webhook.account_encrypted', 'd2')],
  );
  await query(
    `insert into alert (id, name, url, auth_encrypted, signing_secret_encrypted, events, destination_id)
    values ('a1', 'On call', 'https://a.example', $1, $2, '{fault}', 'd3')`,
    [at('alert.auth_encrypted', 'a1'), at('alert.signing_secret_encrypted', 'a1')],
  );
  await query('insert into check_in_secret (pool, secret_encrypted) values ($1, $2)', [
    'p1',
    at('check_in_secret.secret_encrypted', 'p1'),
  ]);
  await query(
    `insert into evidence_chain (pool, public_key, private_key_encrypted, head) values ('p1', 'key', $1, '')`,
    [at('evidence_chain.private_key_encrypted', 'p1')],
  );
  await query(`insert into form (id, pool, name) values ('f1', 'p1', 'Waiver')`);
  await query(
    `insert into form_version (form, version, content, hash, published_by) values ('f1', 1, '{}', '', 'Ada')`,
  );
  await query(`insert into signing (pool, id, form, form_version, language, content_hash, leaf, received_at)
    values ('p1', 's1', 'f1', 1, 'en', '', '', now())`);
  const hash = Buffer.from('the hash of an entry');
  await query(
    `insert into signing_entry (pool, signing, hash, part, salt, body_encrypted) values ('p1', 's1', $1, 'sensitive', '', $2)`,
    [hash, at('signing_entry.body_encrypted', 'p1', 's1', hash.toString('base64url'))],
  );
  await query(
    `insert into sealing_key (id, pool, public_key, private_key_encrypted) values ('k1', 'p1', 'key', $1)`,
    [at('sealing_key.private_key_encrypted', 'k1')],
  );
  await query(
    `insert into late_signing (pool, id, reason, content_hash, summary_encrypted, body_encrypted, email_hashes)
    values ('p1', 'l1', 'already_signed', '', $1, $2, '{}')`,
    [at('late_signing.summary_encrypted', 'p1', 'l1'), at('late_signing.body_encrypted', 'p1', 'l1')],
  );
  await query(
    `insert into invitation (id, pool, booking_system, booking_id, occasion, day, address, address_encrypted, guests,
      created_by, created_at) values ('i1', 'p1', 'standard', 'b1', 'staff', '2027-06-12', $1, $2, 1, '', now())`,
    [hash, at('invitation.address_encrypted', 'i1')],
  );
  await query(
    `insert into copy_mail (id, pool, signing, address, address_encrypted, language)
    values ('c1', 'p1', 's1', $1, $2, 'en')`,
    [hash, at('copy_mail.address_encrypted', 'c1')],
  );
  await query(
    `insert into invitation_refusal (pool, address, address_encrypted, reason) values ('p1', $1, $2, 'refused')`,
    [hash, at('invitation_refusal.address_encrypted', 'p1', hash.toString('base64url'))],
  );
  for (let index = 0; index < webhooks; index += 1) {
    const id = `w${index}`;
    await query(
      `insert into webhook (id, pool, url, auth_encrypted, destination_id) values ($1, 'p1', 'https://a.example', $2, $1)`,
      [id, at('webhook.auth_encrypted', id)],
    );
    await query('insert into webhook_secret (id, webhook_id, secret_encrypted) values ($1, $1, $2)', [
      id,
      at('webhook_secret.secret_encrypted', id),
    ]);
  }
  return { url, query, former };
}

test('every encrypted column of the database is listed, with its primary key', async () => {
  const { query } = await openTestStore();
  const columns = await query(`
    select c.table_name as table, c.column_name as column, k.key
    from information_schema.columns c
    join lateral (
      select array_agg(a.attname::text order by array_position(i.indkey::int[], a.attnum::int)) as key
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = quote_ident(c.table_name)::regclass and i.indisprimary) k on true
    where c.table_schema = current_schema() and c.column_name like '%encrypted' and c.table_name <> 'encryption_check'
    order by 1, 2`);
  const listed = listedColumns.map(({ table, column, key }) => ({ table, column, key: [...key] }));
  expect(listed.toSorted((a, b) => (`${a.table} ${a.column}` < `${b.table} ${b.column}` ? -1 : 1))).toEqual(
    columns,
  );
});

test('after a rotation the current key opens everything; nothing else has changed', async () => {
  const { url, query, former } = await openEncrypted(250);
  const current = testKey('current');
  const progress: string[] = [];
  const rotation = await rotateEncryptionKeys({
    features,
    databaseUrl: url,
    encryptionKeys: [current, former],
    onProgress: ({ table }) => progress.push(table),
  });
  expect(rotation).toMatchObject({
    currentKeyId: 'current',
    reencrypted: 518,
    lost: [],
    uses: [{ keyId: 'current', values: 519 }],
  });
  expect(progress.filter((table) => table === 'webhook')).toHaveLength(3);
  const encryption = createEncryption([current]);
  for (const column of listedColumns) {
    const rows = await query(
      `select ${column.key.join(', ')}, ${column.column} as encrypted from ${column.table} where ${column.column} is not null`,
    );
    const opened = rows.map(({ encrypted, ...key }) => {
      const row = Object.values(key).map((part) =>
        Buffer.isBuffer(part) ? part.toString('base64url') : String(part),
      );
      return encryption.decrypt(locate(column, ...row), String(encrypted));
    });
    expect(new Set(opened), nameOf(column)).toEqual(new Set([nameOf(column)]));
  }
  const store = await openStore({ databaseUrl: url, encryptionKeys: [current], features });
  await store.close();
  const again = await rotateEncryptionKeys({ features, databaseUrl: url, encryptionKeys: [current] });
  expect(again.reencrypted).toBe(0);
});

test('what a host writes at the same moment stays', async () => {
  const { url, query, former } = await openEncrypted();
  const current = testKey('current');
  const host = new Client({ connectionString: url });
  await host.connect();
  onTestFinished(() => host.end());
  const column = { table: 'webhook', column: 'auth_encrypted', key: ['id'] };
  const written = createEncryption([current]).encrypt(locate(column, 'w0'), 'of the host');
  await host.query('begin');
  await host.query('update webhook set auth_encrypted = $1', [written]);
  const rotating = rotateEncryptionKeys({
    features,
    databaseUrl: url,
    encryptionKeys: [current, former],
  });
  await untilBlocked(query);
  await host.query('commit');
  await rotating;
  expect(await query('select auth_encrypted from webhook')).toEqual([{ auth_encrypted: written }]);
});

test('a host that still has a former key in front is noticed by its writes', async () => {
  const { url, former } = await openEncrypted();
  const current = testKey('current');
  const encryptionKeys = [current, former];
  await rotateEncryptionKeys({ features, databaseUrl: url, encryptionKeys });
  const store = await openStore({ databaseUrl: url, encryptionKeys: [former, current], features });
  onTestFinished(() => store.close());
  await store.installations.install({
    bookingSystem: 'late',
    pool: 'p1',
    accountId: 'acc',
    apiKey: 'partner-key',
    information: {},
    writeUnit: 'waiver',
    guestId: 'booking-guest-id',
    takesGuestUpdates: true,
    keyOverlapMs: 0,
    madeBy: 'operator',
  });
  const { reencrypted, uses } = await rotateEncryptionKeys({
    features,
    databaseUrl: url,
    encryptionKeys,
  });
  expect(reencrypted).toBe(1);
  expect(uses.map(({ keyId }) => keyId)).toEqual(['current']);
});

test('a value whose key is missing stays and is named; the others are encrypted again', async () => {
  const { url, query, former } = await openEncrypted();
  const lostKey = createEncryption([testKey('lost')]);
  const column = { table: 'webhook', column: 'auth_encrypted', key: ['id'] };
  const lost = lostKey.encrypt(locate(column, 'w0'), 'nobody can read it');
  await query('update webhook set auth_encrypted = $1', [lost]);
  const rotation = await rotateEncryptionKeys({
    features,
    databaseUrl: url,
    encryptionKeys: [testKey('current'), former],
  });
  expect(rotation.lost).toEqual([
    {
      where: 'webhook.auth_encrypted of w0',
      reason: 'webhook.auth_encrypted is encrypted with the key "lost", which is not among ENCRYPTION_KEYS',
    },
  ]);
  expect(rotation.uses).toEqual([
    { keyId: 'current', values: 20 },
    { keyId: 'lost', values: 1 },
  ]);
  expect(await query('select auth_encrypted from webhook')).toEqual([{ auth_encrypted: lost }]);
});

test('keys of another database, and a database of another version, are refused and nothing changes', async () => {
  const { url, query } = await openEncrypted();
  const before = await query('select * from webhook');
  const refused = rotateEncryptionKeys({
    features,
    databaseUrl: url,
    encryptionKeys: [testKey('other')],
  });
  await expect(refused).rejects.toThrow(WrongEncryptionKeys);
  expect(await query('select * from webhook')).toEqual(before);
  await query(`insert into migration (name, needs) values ('9999-from-the-future', '')`);
  const newer = rotateEncryptionKeys({ features, databaseUrl: url, encryptionKeys: [testKey('other')] });
  await expect(newer).rejects.toThrow(UnsuitableDatabase);
  const empty = await createTestDatabase({ empty: true });
  onTestFinished(empty.drop);
  const nothing = rotateEncryptionKeys({
    features,
    databaseUrl: empty.url,
    encryptionKeys: [testKey('other')],
  });
  await expect(nothing).rejects.toThrow('has no tables of the waiver service');
});
