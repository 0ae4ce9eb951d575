import { expect, test } from 'vitest';
import { MalformedCursor } from '../../src/index.ts';
import { openTestStore } from '../setup/open-test-store.ts';

test('omitted prefill properties stay unchanged', async () => {
  const { store } = await openTestStore();
  const made = await store.pools.put({ id: 'p/1 ☃', name: 'Rafting', prefillProperties: ['shoeSize'] });
  expect(made).toMatchObject({ id: 'p/1 ☃', name: 'Rafting', prefillProperties: ['shoeSize'] });
  await store.pools.put({ id: 'p/1 ☃', name: 'Rafting & more' });
  const found = await store.pools.get('p/1 ☃');
  expect(found).toMatchObject({
    name: 'Rafting & more',
    prefillProperties: ['shoeSize'],
    createdAt: made.createdAt,
  });
  await store.pools.put({ id: 'p/1 ☃', name: 'Rafting', prefillProperties: [] });
  expect((await store.pools.get('p/1 ☃'))?.prefillProperties).toEqual([]);
  expect(await store.pools.get('p2')).toBeUndefined();
});

test('the pages hold each pool once, and a malformed cursor is rejected', async () => {
  const { store } = await openTestStore();
  const ids = ['a', 'b', "c'd", 'e"f', 'é'];
  for (const id of ids) await store.pools.put({ id, name: id });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.pools.list({ limit: 2, cursor });
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  expect(seen.sort()).toEqual([...ids].sort());
  await expect(store.pools.list({ limit: 2, cursor: 'bm90IGpzb24' })).rejects.toThrow(MalformedCursor);
});
