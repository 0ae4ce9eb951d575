import { MalformedCursor } from '@waiver-service/database';
import { expect, test } from 'vitest';
import { DefaultNotInstalled } from '../../src/index.ts';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';
import { openTestStore } from '../setup/open-test-store.ts';

test('omitted prefill properties stay unchanged', async () => {
  const { store } = await openTestStore();
  const created = await store.pools.put({ id: 'p/1 ☃', name: 'Rafting', prefillProperties: ['shoeSize'] });
  expect(created).toMatchObject({ id: 'p/1 ☃', name: 'Rafting', prefillProperties: ['shoeSize'] });
  await store.pools.put({ id: 'p/1 ☃', name: 'Rafting & more' });
  const found = await store.pools.get('p/1 ☃');
  expect(found).toMatchObject({
    name: 'Rafting & more',
    prefillProperties: ['shoeSize'],
    createdAt: created.createdAt,
  });
  await store.pools.put({ id: 'p/1 ☃', name: 'Rafting', prefillProperties: [] });
  expect((await store.pools.get('p/1 ☃'))?.prefillProperties).toEqual([]);
  expect(await store.pools.get('p2')).toBeUndefined();
});

test('omitted settings stay unchanged, and null removes one', async () => {
  const { store } = await openInstalledStore();
  const settings = {
    installs: 'any',
    defaultBookingSystem: 'standard',
    retentionWaiversDays: 30,
  } as const;
  const changed = await store.pools.put({ id: 'p1', name: 'One', ...settings });
  expect(changed).toMatchObject(settings);
  expect(await store.pools.put({ id: 'p1', name: 'Two' })).toMatchObject({ name: 'Two', ...settings });
  await store.pools.put({ id: 'p1', name: 'Two', defaultBookingSystem: null, retentionWaiversDays: null });
  expect(await store.pools.get('p1')).toMatchObject({
    installs: 'any',
    defaultBookingSystem: null,
    retentionWaiversDays: null,
  });
});

test('the default is an installed booking system, also after an uninstall', async () => {
  const { store } = await openInstalledStore();
  await store.installations.install({ ...installRequest, bookingSystem: 'other', madeBy: 'operator' });
  const put = (defaultBookingSystem: string) =>
    store.pools.put({ id: 'p1', name: 'One', defaultBookingSystem });
  await expect(put('third')).rejects.toThrow(DefaultNotInstalled);
  await expect(put('third')).rejects.toThrow('these are: other, standard');
  await put('standard');
  await store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  expect((await store.pools.get('p1'))?.defaultBookingSystem).toBe('other');
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
