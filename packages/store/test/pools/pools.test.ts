import { MalformedCursor } from '@waiver-service/database';
import { expect, test } from 'vitest';
import { openTestStore } from '../setup/open-test-store.ts';

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
