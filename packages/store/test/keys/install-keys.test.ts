import { expect, test } from 'vitest';
import { openTestStore } from '../setup/open-test-store.ts';

test('a booking system can have several valid install keys, and another one’s key is not among them', async () => {
  const { store } = await openTestStore();
  const former = await store.installKeys.create('standard');
  const newer = await store.installKeys.create('standard');
  const other = await store.installKeys.create('standard-query');
  expect(former.key).toMatch(/^wsi_[A-Za-z0-9_-]{43}$/);
  expect(await store.installKeys.verify('standard', former.key)).toEqual({ id: former.id });
  expect(await store.installKeys.verify('standard', newer.key)).toEqual({ id: newer.id });
  expect(await store.installKeys.verify('standard', other.key)).toBeUndefined();
  expect(await store.installKeys.verify('standard-query', newer.key)).toBeUndefined();
  expect(await store.installKeys.verify('standard', '')).toBeUndefined();

  expect(await store.installKeys.remove('standard-query', former.id)).toBe(false);
  expect(await store.installKeys.remove('standard', former.id)).toBe(true);
  expect(await store.installKeys.verify('standard', former.key)).toBeUndefined();
  expect(await store.installKeys.verify('standard', newer.key)).toEqual({ id: newer.id });
});

test('the list shows a booking system its own keys and their last use, without the secret', async () => {
  const { store, query } = await openTestStore();
  const { id, key } = await store.installKeys.create('standard');
  await store.installKeys.create('standard-query');
  await store.installKeys.verify('standard', key);
  const { items, next } = await store.installKeys.list('standard', { limit: 10 });
  expect(items).toEqual([
    { id, createdAt: expect.any(Date), lastUsedAt: expect.any(Date), hint: `wsi_…${key.slice(-4)}` },
  ]);
  expect(next).toBeNull();
  expect(JSON.stringify(await query('select * from install_key'))).not.toContain(key.slice(4));
});
