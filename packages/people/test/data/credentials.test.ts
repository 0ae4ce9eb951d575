import { MalformedCursor } from '@waiver-service/database';
import { expect, test } from 'vitest';
import { openTestStore } from '../setup/open-test-store.ts';

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
