import { install, waiver } from '@waiver-service/store/testing';
import { expect, test } from 'vitest';
import { openOutbox } from '../setup/open-test-store.ts';

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
