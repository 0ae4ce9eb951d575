import { createTestDatabase } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { onSingleConnection } from '../../src/backups/single-connection.ts';
import { readCellName } from '../../src/cells/cell-name.ts';
import { openStore, UnsuitableDatabase } from '../../src/index.ts';
import { testKey } from '../setup/open-test-store.ts';

test('a host that has the address of another cell’s database does not start, and renames nothing', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const encryptionKeys = [testKey()];
  const start = async (cell?: string) => {
    const store = await openStore({ databaseUrl: url, encryptionKeys, cell });
    await store.close();
  };
  const name = () => onSingleConnection(url, ({ database }) => readCellName(database));
  await start();
  expect(await name()).toBeUndefined();
  await start('eu1');

  const refused = start('us1');
  await expect(refused).rejects.toThrow(UnsuitableDatabase);
  await expect(refused).rejects.toThrow('the database is that of the cell "eu1", and CELL is "us1"');
  expect(await name()).toBe('eu1');

  await start('eu1');
  await start();
  expect(await name()).toBe('eu1');
});
