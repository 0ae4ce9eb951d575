import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { longTest, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProgram } from '../harness/program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// Longer than a test may take: whatever ends, ends for another reason.
const start = (DRAIN_TIME = '10m') => startProgram({ DATABASE_URL: database.url, DRAIN_TIME });

test('on SIGTERM the host is not ready but still serves requests; a second signal ends it, with status 0', async () => {
  const program = await start();
  await program.makePool('p');
  const { process: child } = program.spawned;
  // Two at once are one: npm passes on what its whole group has got.
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  const refused = await until(
    async () => {
      const answer = await program.call('GET', '/readyz');
      return answer.status === 200 ? undefined : answer;
    },
    'the host to be not ready',
    60_000,
  );
  expect(refused).toMatchObject({ status: 503, body: { code: 'not_ready' } });
  expect(refused.body.message).toContain('about to end');
  for (let call = 0; call < 5; call += 1) {
    const waiver = { answers: { name: 'Ada' } };
    const answer = await program.call('POST', '/v1/pools/p/waivers', waiver);
    expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
    expect((await program.call('GET', '/healthz')).status).toBe(200);
    expect((await program.call('GET', '/readyz')).status).toBe(503);
  }
  expect(child.exitCode).toBeNull();
  // A second signal, later than npm would be.
  const signalling = setInterval(() => child.kill('SIGTERM'), 200);
  expect(await program.spawned.ended).toBe(0);
  clearInterval(signalling);
});

longTest('the drain time ends by itself, with status 0', async () => {
  const program = await start('500ms');
  await program.makePool('q');
  program.spawned.process.kill('SIGTERM');
  expect(await program.spawned.ended).toBe(0);
});

longTest('SIGINT, which a person sends, does not wait for it', async () => {
  const program = await start();
  program.spawned.process.kill('SIGINT');
  expect(await program.spawned.ended).toBe(0);
});
