import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@waiver-service/database/testing';
import { operationsData, restoreBackup, writeBackup } from '@waiver-service/operations/data';
import { openStore } from '@waiver-service/store';
import { testKey } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openPeopleStore } from '../../src/data/people-store.ts';
import { peopleData } from '../../src/data/tables.ts';
import { openTestStore } from '../setup/open-test-store.ts';

test('a restore brings back no session of a person and no sign-in link, and the audit log as append-only as it was', async () => {
  const keys = [testKey()];
  const { url, store } = await openTestStore({ keys, empty: true, features: [operationsData] });
  const session = await store.personSessions.start(null);
  const code = await store.personSessions.createCode(null, 60_000);
  const entry = { actor: 'admin-token', name: null, action: 'pool.put', pool: 'p1', target: null };
  await store.auditLog.add(
    { ...entry, requestId: 'r1', address: '203.0.113.7' },
    { status: 200, target: 'p1' },
  );
  const folder = mkdtempSync(join(tmpdir(), 'waiver-backup-'));
  const target = await createTestDatabase({ empty: true });
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await target.drop();
  });
  const options = {
    encryptionKeys: keys,
    features: [operationsData, peopleData],
    file: join(folder, 'backup'),
  };
  await writeBackup({ ...options, databaseUrl: url });
  await restoreBackup({ ...options, databaseUrl: target.url });
  const restored = openPeopleStore(await openStore({ ...options, databaseUrl: target.url }));
  onTestFinished(() => restored.close());
  expect(await store.personSessions.find(session ?? '')).toBeDefined();
  expect(await restored.personSessions.find(session ?? '')).toBeUndefined();
  expect(await restored.personSessions.startByCode(code)).toBeUndefined();
  const { items } = await restored.auditLog.list({ ofPoolsOnly: false }, { limit: 10 });
  expect(items).toMatchObject([{ action: 'pool.put', status: 200 }]);
  await expect(restored.auditLog.end(items[0]?.id ?? '', { status: 500, target: null })).rejects.toThrow(
    'append-only',
  );
});
