import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MalformedCursor } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { operationsData, restoreBackup, writeBackup } from '@waiver-service/operations/data';
import { openStore } from '@waiver-service/store';
import { testKey } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openPeopleStore } from '../../src/data/people-store.ts';
import { peopleData } from '../../src/data/tables.ts';
import { openTestStore } from '../setup/open-test-store.ts';

const longMs = 60_000;

test('a credential is valid until it is removed, on every host at once, and is never stored in plaintext', async () => {
  const { store, query } = await openTestStore();
  const { id, token } = await store.credentials.create({ name: 'Ada', role: 'operator', pools: ['p1'] });
  expect(token).toMatch(/^wsc_[A-Za-z0-9_-]{43}$/);
  const verified = { id, name: 'Ada', role: 'operator', pools: ['p1'] };
  expect(await store.credentials.verify(token)).toEqual(verified);
  expect(await store.credentials.verify(`${token}x`)).toBeUndefined();
  expect(await store.credentials.verify('')).toBeUndefined();
  const rows = JSON.stringify(await query('select *, encode(hash, $1) as bytes from credential', ['escape']));
  expect(rows).not.toContain(token.slice(4));
  // As another host would remove it.
  await query('delete from credential');
  expect(await store.credentials.verify(token)).toBeUndefined();
});

test('the list shows who a credential is for and when it was last used, to the minute, by pages', async () => {
  const { store, query } = await openTestStore();
  const expiresAt = new Date('2100-01-01T00:00:00.000Z');
  const first = await store.credentials.create({ name: 'Ada', role: 'owner' });
  const second = await store.credentials.create({ name: 'App', role: 'viewer', pools: ['p1'], expiresAt });
  const page = await store.credentials.list({ limit: 1 });
  expect(page.items).toEqual([
    {
      id: first.id,
      name: 'Ada',
      role: 'owner',
      pools: null,
      hint: `wsc_…${first.token.slice(-4)}`,
      createdAt: expect.any(Date),
      lastUsedAt: null,
      expiresAt: null,
    },
  ]);
  await store.credentials.verify(second.token);
  const { items, next } = await store.credentials.list({ limit: 1, cursor: page.next ?? '' });
  expect(items).toMatchObject([{ id: second.id, pools: ['p1'], expiresAt, lastUsedAt: expect.any(Date) }]);
  expect(next).toBeNull();
  await expect(store.credentials.list({ limit: 1, cursor: '%' })).rejects.toThrow(MalformedCursor);

  const [{ xmin: before } = {}] = await query('select xmin from credential where last_used_at is not null');
  await store.credentials.verify(second.token);
  expect(await query('select xmin from credential where last_used_at is not null')).toEqual([
    { xmin: before },
  ]);
});

test('the database refuses an owner of some pools only', async () => {
  const { store } = await openTestStore();
  await expect(store.credentials.create({ name: 'Ada', role: 'owner', pools: ['p1'] })).rejects.toThrow(
    /check/,
  );
});

test('an expired credential is no longer valid, and is still listed', async () => {
  const { store, query } = await openTestStore();
  const expiresAt = new Date(Date.now() + 60_000);
  const { id, token } = await store.credentials.create({ name: 'Ada', role: 'viewer', expiresAt });
  expect(await store.credentials.verify(token)).toMatchObject({ id, pools: null });
  await query("update credential set expires_at = now() - interval '1 ms'");
  expect(await store.credentials.verify(token)).toBeUndefined();
  expect((await store.credentials.list({ limit: 10 })).items).toMatchObject([{ id }]);
});

test('a session is its credential’s; without one it is the admin token’s', async () => {
  const { store } = await openTestStore();
  const { id } = await store.credentials.create({ name: 'Mia', role: 'viewer' });
  const secret = (await store.personSessions.start(id)) ?? '';
  expect(await store.personSessions.find(secret)).toEqual({
    owner: { id, name: 'Mia', role: 'viewer', pools: null },
  });
  const admin = (await store.personSessions.start(null)) ?? '';
  expect(await store.personSessions.find(admin)).toEqual({ owner: null });
  expect(await store.personSessions.find('wss_unknown')).toBeUndefined();
});

test('a session ends with its credential, at once', async () => {
  const { store } = await openTestStore();
  const { id } = await store.credentials.create({ name: 'Mia', role: 'operator' });
  const secret = (await store.personSessions.start(id)) ?? '';
  const code = await store.personSessions.createCode(id, longMs);
  await store.credentials.remove(id);
  expect(await store.personSessions.find(secret)).toBeUndefined();
  expect(await store.personSessions.startByCode(code)).toBeUndefined();
  expect(await store.personSessions.start(id)).toBeUndefined();
});

test('an expired credential has no session, and none lasts longer than it', async () => {
  const { store, query } = await openTestStore();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { id } = await store.credentials.create({ name: 'Mia', role: 'operator', expiresAt });
  const secret = (await store.personSessions.start(id)) ?? '';
  expect(await query('select expires_at from person_session')).toEqual([{ expires_at: expiresAt }]);
  await query(`update credential set expires_at = now() - interval '1 second'`);
  expect(await store.personSessions.find(secret)).toBeUndefined();
  expect(await store.personSessions.start(id)).toBeUndefined();
});

test('a session ends by sign-out, after its time, and when it is not used; ended ones are deleted', async () => {
  const { store, query } = await openTestStore();
  const [out, over, idle, used] = await Promise.all(
    Array.from({ length: 4 }, async () => (await store.personSessions.start(null)) ?? ''),
  );
  await store.personSessions.end(out ?? '');
  expect(await store.personSessions.find(out ?? '')).toBeUndefined();

  const hashOf = (secret = '') => `sha256('${secret}'::bytea)`;
  await query(`update person_session set expires_at = now() where hash = ${hashOf(over)}`);
  expect(await store.personSessions.find(over ?? '')).toBeUndefined();
  await query(`update person_session set seen_at = now() - interval '8 hours' where hash = ${hashOf(idle)}`);
  expect(await store.personSessions.find(idle ?? '')).toBeUndefined();

  await query(`update person_session set seen_at = now() - interval '7 hours' where hash = ${hashOf(used)}`);
  expect(await store.personSessions.find(used ?? '')).toEqual({ owner: null });
  expect(
    await query(`select 1 from person_session where seen_at > now() - interval '1 minute'`),
  ).toHaveLength(2);

  await store.personSessions.start(null);
  expect(await query('select 1 from person_session')).toHaveLength(2);
});

test('the code of a sign-in link works once, and not after its time', async () => {
  const { store } = await openTestStore();
  const code = await store.personSessions.createCode(null, longMs);
  const started = await Promise.all([1, 2, 3].map(() => store.personSessions.startByCode(code)));
  const [secret, ...others] = started.filter((one) => one !== undefined);
  expect(others).toEqual([]);
  expect(await store.personSessions.find(secret ?? '')).toEqual({ owner: null });
  expect(
    await store.personSessions.startByCode(await store.personSessions.createCode(null, 0)),
  ).toBeUndefined();
});

test('neither a session nor a code is stored in a readable form', async () => {
  const { store, query } = await openTestStore();
  const secret = (await store.personSessions.start(null)) ?? '';
  const code = await store.personSessions.createCode(null, longMs);
  const rows = JSON.stringify([
    await query('select person_session::text from person_session'),
    await query('select sign_in_code::text from sign_in_code'),
  ]);
  for (const text of [secret, code]) {
    expect(rows).not.toContain(text);
    expect(rows).not.toContain(Buffer.from(text).toString('hex'));
  }
});

const mia = { subject: 'mia', name: 'Mia', role: 'operator', pools: ['a'], rules: 'r1' } as const;

test('a session by an issuer has the person’s role and pools, for 12 hours at most', async () => {
  const { store, query } = await openTestStore();
  const secret = await store.personSessions.startByIssuer(mia);
  expect(await store.personSessions.find(secret)).toEqual({ owner: mia });
  const [row] = await query(
    `select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from person_session`,
  );
  expect(row?.hours).toBeCloseTo(12, 3);
  const everywhere = await store.personSessions.startByIssuer({ ...mia, pools: null });
  expect(await store.personSessions.find(everywhere)).toEqual({ owner: { ...mia, pools: null } });
});

test('sessions are listed page by page, without those that have ended or follow other rules', async () => {
  const { store, query } = await openTestStore();
  const { id } = await store.credentials.create({ name: 'Ida', role: 'viewer' });
  await store.personSessions.start(null);
  await store.personSessions.start(id);
  await store.personSessions.startByIssuer(mia);
  await store.personSessions.startByIssuer({ ...mia, rules: 'r2' });
  const over = await store.personSessions.startByIssuer({ ...mia, subject: 'over' });
  await query(`update person_session set expires_at = now() where hash = sha256('${over}'::bytea)`);
  const first = await store.personSessions.list('r1', { limit: 2 });
  expect(first.items.map(({ owner }) => owner?.name ?? null)).toEqual([null, 'Ida']);
  const second = await store.personSessions.list('r1', { limit: 2, cursor: first.next ?? '' });
  expect(second).toMatchObject({ items: [{ owner: mia }], next: null });
  expect((await store.personSessions.list(undefined, { limit: 9 })).items).toHaveLength(2);
  const wrong = Buffer.from('["no-id"]').toString('base64url');
  await expect(store.personSessions.list('r1', { limit: 2, cursor: wrong })).rejects.toThrow('cursor');
});

test('a session is ended by its id, once', async () => {
  const { store } = await openTestStore();
  const secret = await store.personSessions.startByIssuer(mia);
  const { items } = await store.personSessions.list('r1', { limit: 9 });
  const id = items[0]?.id ?? '';
  expect(await store.personSessions.remove('no-id')).toBe(false);
  expect(await store.personSessions.remove(id)).toBe(true);
  expect(await store.personSessions.remove(id)).toBe(false);
  expect(await store.personSessions.find(secret)).toBeUndefined();
});

const visit = { state: 'the-state', nonce: 'the-nonce', verifier: 'the-verifier', landing: '/console/' };

test('a visit ends once, by its own state', async () => {
  const { store } = await openTestStore();
  const sealed = store.issuerVisits.begin(visit, longMs);
  expect(await store.issuerVisits.end(sealed, 'another')).toBeUndefined();
  expect(await store.issuerVisits.end(sealed, '')).toBeUndefined();
  const ended = await Promise.all([1, 2, 3].map(() => store.issuerVisits.end(sealed, visit.state)));
  expect(ended.filter((one) => one !== undefined)).toEqual([visit]);
});

test('a visit ends after its time, and is then deleted', async () => {
  const { store, query } = await openTestStore();
  const over = store.issuerVisits.begin(visit, 0);
  expect(await store.issuerVisits.end(over, visit.state)).toBeUndefined();
  const shortly = store.issuerVisits.begin(visit, 200);
  expect(await store.issuerVisits.end(shortly, visit.state)).toEqual(visit);
  expect(await query('select 1 from ended_sign_in')).toHaveLength(1);
  await query(`update ended_sign_in set expires_at = now()`);
  expect(await store.issuerVisits.end(store.issuerVisits.begin(visit, longMs), visit.state)).toEqual(visit);
  expect(await query('select 1 from ended_sign_in')).toHaveLength(1);
});

test('a visit that was changed, made up or read tells nothing', async () => {
  const { store } = await openTestStore();
  const sealed = store.issuerVisits.begin(visit, longMs);
  for (const secret of Object.values(visit)) {
    expect(sealed).not.toContain(secret);
    expect(Buffer.from(sealed.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain(secret);
  }
  const changed = `${sealed.slice(0, -8)}${sealed.slice(-8) === 'AAAAAAA=' ? 'BBBBBBB=' : 'AAAAAAA='}`;
  for (const wrong of [changed, '', 'v1', 'v1:test', 'v1:nobody:AAAA', 'x'.repeat(5000)]) {
    expect(await store.issuerVisits.end(wrong, visit.state)).toBeUndefined();
  }
});

test('a restore brings back no session of a person and no sign-in link, and the audit log as append-only as it was', async () => {
  const keys = [testKey()];
  const { url, store } = await openTestStore({ keys, empty: true, features: [operationsData] });
  const session = await store.personSessions.start(null);
  const code = await store.personSessions.createCode(null, 60_000);
  const entry = { actor: 'admin-token', name: null, action: 'pool.put', pool: 'p1', target: null };
  await store.auditLog.add(
    { ...entry, requestId: 'r1', address: '203.0.113.7' },
    { status: 200, target: 'p1' },
  );
  const folder = mkdtempSync(join(tmpdir(), 'waiver-backup-'));
  const target = await createTestDatabase({ empty: true });
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await target.drop();
  });
  const options = {
    encryptionKeys: keys,
    features: [operationsData, peopleData],
    file: join(folder, 'backup'),
  };
  await writeBackup({ ...options, databaseUrl: url });
  await restoreBackup({ ...options, databaseUrl: target.url });
  const restored = openPeopleStore(await openStore({ ...options, databaseUrl: target.url }));
  onTestFinished(() => restored.close());
  expect(await store.personSessions.find(session ?? '')).toBeDefined();
  expect(await restored.personSessions.find(session ?? '')).toBeUndefined();
  expect(await restored.personSessions.startByCode(code)).toBeUndefined();
  const { items } = await restored.auditLog.list({ ofPoolsOnly: false }, { limit: 10 });
  expect(items).toMatchObject([{ action: 'pool.put', status: 200 }]);
  await expect(restored.auditLog.end(items[0]?.id ?? '', { status: 500, target: null })).rejects.toThrow(
    'append-only',
  );
});
