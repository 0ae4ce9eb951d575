import { expect, test } from 'vitest';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';

const allowing = { ...installRequest, information: { region: 'north', mayReissue: true } };

test('a permission is withdrawn once, and the rest of the account stays as it is', async () => {
  const { store } = await openInstalledStore();
  const { installations } = store;
  await installations.install(allowing);
  const before = await installations.get('p1', 'standard');
  expect(await installations.withdraw('p1', 'standard', 'mayReissue')).toBe(true);
  const after = await installations.get('p1', 'standard');
  expect(after).toEqual({
    ...before,
    account: { ...before?.account, information: { region: 'north', mayReissue: false } },
    updatedAt: expect.any(Date),
  });
  // A host connects again once the time of the last change is another one.
  expect(after?.updatedAt).not.toEqual(before?.updatedAt);
  expect(await installations.withdraw('p1', 'standard', 'mayReissue')).toBe(false);
  expect((await installations.get('p1', 'standard'))?.updatedAt).toEqual(after?.updatedAt);
});

test('nothing else of an account is changed, and nothing where nothing is installed', async () => {
  const { store } = await openInstalledStore();
  const { installations } = store;
  expect(await installations.withdraw('p1', 'standard', 'region')).toBe(false);
  expect(await installations.withdraw('p1', 'standard', 'missing')).toBe(false);
  expect(await installations.withdraw('p1', 'other', 'region')).toBe(false);
  expect((await installations.get('p1', 'standard'))?.account).toMatchObject({
    accountId: 'acc',
    apiKey: 'partner-key',
    information: { region: 'north' },
  });
  await installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  expect(await installations.withdraw('p1', 'standard', 'region')).toBe(false);
});
