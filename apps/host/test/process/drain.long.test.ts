import { createTestDatabase, type TestDatabase } from '@waiver-service/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProgram } from '../harness/program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// Longer than a test may take: whatever ends, ends for another reason.
const start = (DRAIN_TIME = '10m') => startProgram({ DATABASE_URL: database.url, DRAIN_TIME });

test('the drain time ends by itself, with status 0', async () => {
  const program = await start('500ms');
  await program.makePool('q');
  program.spawned.process.kill('SIGTERM');
  expect(await program.spawned.ended).toBe(0);
});

test('SIGINT, which a person sends, does not wait for it', async () => {
  const program = await start();
  program.spawned.process.kill('SIGINT');
  expect(await program.spawned.ended).toBe(0);
});
