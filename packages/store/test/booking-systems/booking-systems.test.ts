import { CannotDecrypt } from '@waiver-service/database';
import { expect, test } from 'vitest';
import { openTestStore } from '../setup/open-test-store.ts';

test('omitted settings stay unchanged, and none is readable in the database', async () => {
  const { store, query } = await openTestStore();
  expect(await store.bookingSystems.get('standard')).toBeUndefined();
  await store.bookingSystems.put('standard', {
    baseUrl: 'https://booking.example/api',
    settings: { clientSecret: 'planted-secret', nested: { list: [1, null, 'é'] } },
  });
  await store.bookingSystems.put('standard', { baseUrl: 'https://other.example' });
  expect(await store.bookingSystems.get('standard')).toMatchObject({
    installName: 'standard',
    baseUrl: 'https://other.example',
    settings: { clientSecret: 'planted-secret', nested: { list: [1, null, 'é'] } },
  });
  await store.bookingSystems.put('standard', { settings: {} });
  expect(await store.bookingSystems.get('standard')).toMatchObject({
    baseUrl: 'https://other.example',
    settings: {},
  });
  await store.bookingSystems.put('standard', { baseUrl: null, settings: { clientSecret: 'planted-secret' } });
  await store.bookingSystems.put('a-first', {});
  expect(
    (await store.bookingSystems.list()).map(({ installName, baseUrl }) => [installName, baseUrl]),
  ).toEqual([
    ['a-first', null],
    ['standard', null],
  ]);
  const raw = JSON.stringify(await query('select * from booking_system'));
  expect(raw).toContain('v1:test:');
  expect(raw).not.toContain('planted-secret');
});

test('settings cannot be moved to another booking system', async () => {
  const { store, query } = await openTestStore();
  await store.bookingSystems.put('standard', { settings: { clientSecret: 's' } });
  await store.bookingSystems.put('standard-query', {});
  await query(`update booking_system set settings_encrypted = (select settings_encrypted from booking_system
    where install_name = 'standard') where install_name = 'standard-query'`);
  await expect(store.bookingSystems.get('standard-query')).rejects.toThrow(CannotDecrypt);
});
