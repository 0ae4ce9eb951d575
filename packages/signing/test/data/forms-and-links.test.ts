import { install, waiver } from '@waiver-service/store/testing';
import { expect, test } from 'vitest';
import { openOutbox, openTestStore } from '../setup/open-test-store.ts';

async function open() {
  const opened = await openTestStore();
  await opened.store.pools.put({ id: 'p1', name: 'Pool 1' });
  await opened.store.pools.put({ id: 'p2', name: 'Pool 2' });
  return opened;
}

const content = (text: string) => ({ content: text, hash: 'ab'.repeat(32), publishedBy: 'Ada' });

test('a draft becomes a version, which never changes', async () => {
  const { store, query } = await open();
  const { forms } = store;
  const { id } = await forms.create('p1', 'Rafting');
  expect(await forms.publish('p1', id, { draft: '{}', ...content('{}') })).toBeUndefined();
  await forms.putDraft('p1', id, '{"a":1}');
  expect(await forms.get('p1', id)).toMatchObject({ draft: '{"a":1}', published: null, hasDraft: true });
  expect(await forms.publish('p1', id, { draft: '{"a":0}', ...content('{"a":1}') })).toBeUndefined();
  expect(await forms.publish('p1', id, { draft: '{"a":1}', ...content('{"a":1}') })).toBe(1);
  await forms.putDraft('p1', id, '{"a":2}');
  expect(await forms.publish('p1', id, { draft: '{"a":2}', ...content('{"a":2}') })).toBe(2);
  expect(await forms.published('p1')).toMatchObject([{ form: id, version: 2, content: '{"a":2}' }]);
  expect(await forms.version('p1', id, 1)).toMatchObject({ content: '{"a":1}', publishedBy: 'Ada' });
  expect((await forms.versions('p1', id, { limit: 1 })).items).toMatchObject([{ version: 2 }]);
  await expect(query(`update form_version set content = '{}'`)).rejects.toThrow('never changes');
});

test('a form of another pool is not there; an archived one is offered no more', async () => {
  const { forms } = (await open()).store;
  const { id } = await forms.create('p1', 'Rafting');
  await forms.putDraft('p1', id, '{}');
  expect(await forms.get('p2', id)).toBeUndefined();
  expect(await forms.putDraft('p2', id, '{}')).toBe(false);
  expect(await forms.archive('p2', id)).toBe(false);
  await forms.publish('p1', id, { draft: '{}', ...content('{}') });
  expect(await forms.version('p2', id, 1)).toBeUndefined();
  expect(await forms.archive('p1', id)).toBe(true);
  expect(await forms.published('p1')).toEqual([]);
  expect(await forms.putDraft('p1', id, '{}')).toBe(false);
  expect(await forms.version('p1', id, 1)).toBeDefined();
});

test('two who publish the same draft at once make one version', async () => {
  const { forms } = (await open()).store;
  const { id } = await forms.create('p1', 'Rafting');
  await forms.putDraft('p1', id, '{}');
  const versions = await Promise.all(
    [1, 2, 3].map(() => forms.publish('p1', id, { draft: '{}', ...content('{}') })),
  );
  expect(versions.filter((version) => version !== undefined)).toEqual([1]);
});

test('a draft replaces only the one that it was made of, if that is named', async () => {
  const { forms } = (await open()).store;
  const { id } = await forms.create('p1', 'Rafting');
  const [none, draft] = [null, '{"a":1}'];
  expect(await forms.putDraft('p1', id, draft, { draft: none, published: null })).toBe(true);
  expect(await forms.putDraft('p1', id, '{}', { draft: none, published: null })).toBe(false);
  expect(await forms.putDraft('p1', id, '{}', { draft, published: 1 })).toBe(false);
  await forms.publish('p1', id, { draft, ...content(draft) });
  expect(await forms.putDraft('p1', id, '{}', { draft: none, published: null })).toBe(false);
  expect(await forms.putDraft('p1', id, '{}', { draft: none, published: 1 })).toBe(true);
});

const place = { bookingSystem: 'standard', bookingId: 'b1', bookingGuestId: 'g1' };
const link = { ...place, expiresAt: null, createdBy: 'admin-token' };

test('a link is found by its token, of which only the hash is stored', async () => {
  const { store, query } = await openOutbox();
  const { link: made, token } = await store.checkInLinks.create('p1', link);
  expect(await store.checkInLinks.find(token)).toMatchObject({ id: made.id, ...place, poolName: 'Pool 1' });
  expect(await store.checkInLinks.find(`${token}x`)).toBeUndefined();
  expect(JSON.stringify(await query('select * from check_in_link'))).not.toContain(token.slice(5));
});

test('links end with the installation, and those to a guest when the waiver is voided', async () => {
  const { store } = await openOutbox();
  const toGuest = await store.checkInLinks.create('p1', link);
  const toBooking = await store.checkInLinks.create('p1', { ...link, bookingGuestId: null });
  const { id } = waiver();
  await store.waivers.create(waiver({ id }));
  await store.waivers.void('p1', id ?? '');
  const isRevoked = async ({ token }: { readonly token: string }) =>
    (await store.checkInLinks.find(token))?.revokedAt !== null;
  expect([await isRevoked(toGuest), await isRevoked(toBooking)]).toEqual([true, false]);
  await store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  expect(await isRevoked(toBooking)).toBe(true);
  await install(store);
  expect(await isRevoked(toBooking)).toBe(true);
});
