import { expect, test } from 'vitest';
import { openTestStore } from '../setup/open-test-store.ts';

const longMs = 60_000;

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
