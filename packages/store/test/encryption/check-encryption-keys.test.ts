import type { EncryptionKey } from '@waiver-service/database';
import { WrongEncryptionKeys } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, rotateEncryptionKeys } from '../../src/index.ts';
import { testKey } from '../setup/open-test-store.ts';

async function openAgain() {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  const open = async (...encryptionKeys: EncryptionKey[]) => {
    const store = await openStore({ databaseUrl: url, encryptionKeys });
    await store.close();
  };
  return { url, open };
}

test('keys other than those of the database are rejected with advice, and change nothing', async () => {
  const { open } = await openAgain();
  const key = testKey('k1');
  await open(key);
  const unknown = open(testKey('k2'));
  await expect(unknown).rejects.toThrow(WrongEncryptionKeys);
  await expect(unknown).rejects.toThrow(/"k1", which is not among ENCRYPTION_KEYS.* Start with the keys/);
  await expect(open(testKey('k1'))).rejects.toThrow(/another key under that id/);
  await open(key);
});

test('keys can be rotated one after the other', async () => {
  const { url, open } = await openAgain();
  const one = testKey('k1');
  const two = testKey('k2');
  const three = testKey('k3');
  await open(one);
  await open(two, one);
  await open(one, two);
  await open(two, one);
  // A key is taken away once nothing is encrypted with it any more.
  await rotateEncryptionKeys({ features: [], databaseUrl: url, encryptionKeys: [two, one] });
  await open(two);
  await open(three, two);
  await expect(open(one, two)).rejects.toThrow(/"k3"/);
});

test('of hosts that open an empty database at once with different keys, one starts', async () => {
  const { open } = await openAgain();
  const outcomes = await Promise.allSettled([open(testKey('a')), open(testKey('b')), open(testKey('c'))]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
