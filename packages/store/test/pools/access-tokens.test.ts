import { setTimeout as delay } from 'node:timers/promises';
import { MalformedCursor } from '@waiver-service/database';
import { expect, test } from 'vitest';
import { openTestStore } from '../setup/open-test-store.ts';

test('the list shows when a token was last used, to the minute, and never the token', async () => {
  const { store, query } = await openTestStore();
  await store.pools.put({ id: 'p1', name: 'One' });
  const { id, token } = await store.accessTokens.create('p1');
  const [fresh] = (await store.accessTokens.list('p1', { limit: 10 })).items;
  expect(fresh).toMatchObject({ id, lastUsedAt: null, hint: `wst_…${token.slice(-4)}` });
  expect(fresh).not.toHaveProperty('hash');

  await store.accessTokens.verify(token);
  const [used] = (await store.accessTokens.list('p1', { limit: 10 })).items;
  expect(used?.lastUsedAt).toBeInstanceOf(Date);

  // A change of the pool: what was looked up for the first use is not used again.
  const lookUpAgain = () => store.pools.put({ id: 'p1', name: 'One' });
  // A second use within a minute is not recorded, a later one is.
  const [{ xmin: before } = {}] = await query('select xmin from access_token');
  await lookUpAgain();
  await store.accessTokens.verify(token);
  expect(await query('select xmin from access_token')).toEqual([{ xmin: before }]);
  await query("update access_token set last_used_at = now() - interval '61 s'");
  await lookUpAgain();
  await store.accessTokens.verify(token);
  const [again] = (await store.accessTokens.list('p1', { limit: 10 })).items;
  expect(Date.now() - (again?.lastUsedAt?.getTime() ?? 0)).toBeLessThan(30_000);
});

test('pages hold only the tokens of one pool, oldest first', async () => {
  const { store } = await openTestStore();
  await store.pools.put({ id: 'p1', name: 'One' });
  await store.pools.put({ id: 'p2', name: 'Two' });
  const created: string[] = [];
  for (let count = 0; count < 3; count += 1) created.push((await store.accessTokens.create('p1')).id);
  await store.accessTokens.create('p2');
  const first = await store.accessTokens.list('p1', { limit: 2 });
  const second = await store.accessTokens.list('p1', { limit: 2, cursor: first.next ?? '' });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(created);
  expect(second.next).toBeNull();
  await expect(store.accessTokens.list('p1', { limit: 2, cursor: '%' })).rejects.toThrow(MalformedCursor);
});

test('a token has the scopes that it was created with, and ends in time although its setup is cached', async () => {
  const { store } = await openTestStore();
  await store.pools.put({ id: 'p1', name: 'One' });
  const expiresAt = new Date(Date.now() + 4_000);
  const scopes = ['waivers:write' as const];
  const { id, token } = await store.accessTokens.create('p1', { name: 'kiosk', scopes, expiresAt });
  expect(await store.accessTokens.verify(token)).toMatchObject({ pool: 'p1', token: { id, scopes } });
  expect((await store.accessTokens.list('p1', { limit: 1 })).items).toMatchObject([
    { name: 'kiosk', scopes, expiresAt },
  ]);
  // Until the end, so that what is cached last would outlive it.
  while (Date.now() < expiresAt.getTime()) {
    await store.accessTokens.verify(token);
    await delay(20);
  }
  expect(await store.accessTokens.verify(token)).toBeUndefined();
  expect((await store.accessTokens.list('p1', { limit: 1 })).items).toMatchObject([{ id }]);
});
