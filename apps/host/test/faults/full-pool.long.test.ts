import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import { startWebhookReceiver } from '@waiver-service/simulator';
import type { Answer } from '@waiver-service/testing';
import { openRawConnection, report, takeAllConnections, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startOwnPostgres } from '../harness/own-postgres.ts';
import { type Program, startProgram } from '../harness/program.ts';

// Ten seconds for a connection, and a machine that is busy.
const connectedWithinMs = 15_000;
// Thirty more for a statement.
const answeredWithinMs = connectedWithinMs + 30_000;

interface Timed {
  readonly id: string;
  readonly answer: Answer;
  readonly durationMs: number;
}

/** Signs many waivers and reads one many times at once. (Lists have a share of the connections only.) */
async function burst(program: Program, name: string): Promise<{ signed: Timed[]; read: Timed[] }> {
  const timed = async (id: string, method: string, path: string, body?: unknown): Promise<Timed> => {
    const started = performance.now();
    const answer = await program.call(method, path, body);
    return { id, answer, durationMs: performance.now() - started };
  };
  const ids = Array.from({ length: 40 }, (_, index) => `${name}-${index}`);
  const sign = (id: string) => timed(id, 'POST', '/v1/pools/p/waivers', { id, answers: { name: 'Ada' } });
  const [signed, read] = await Promise.all([
    Promise.all(ids.map(sign)),
    Promise.all(ids.map((id) => timed(id, 'GET', '/v1/pools/p/waivers/first'))),
  ]);
  return { signed, read };
}

/** Each was done, or refused in words that say what to do; none hung. */
function expectAnswered(timed: readonly Timed[], success: number, withinMs: number): number {
  for (const { answer, durationMs } of timed) {
    expect(durationMs).toBeLessThan(withinMs);
    if (answer.status === success) continue;
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      success: false,
      code: 'database_unavailable',
      message: expect.stringContaining('send it again'),
    });
  }
  return timed.filter(({ answer }) => answer.status === 503).length;
}

async function startSending(url: string) {
  const receiver = await startWebhookReceiver();
  const program = await startProgram({ DATABASE_URL: url, LOG_LEVEL: 'fatal' });
  await program.makePool('p');
  await program.done('POST', '/v1/admin/pools/p/webhooks', { url: receiver.url, auth: { type: 'none' } });
  await program.done('POST', '/v1/pools/p/waivers', { id: 'first', answers: { name: 'Ada' } });
  const hasArrived = (id: string) => () =>
    receiver.received.some(({ body }) => JSON.parse(body.toString()).guest.id === id);
  return {
    program,
    untilArrived: (id: string) => until(hasArrived(id), `${id} to arrive`, 20_000),
    async close() {
      expect(await program.stop()).toBe(0);
      await receiver.close();
    },
  };
}

test('PostgreSQL gives no more connections: each request is done or answered 503, and all is well when it does again', async () => {
  const server = await startOwnPostgres();
  onTestFinished(() => server.remove());
  const { program, untilArrived, close } = await startSending(server.url);
  const taken = await takeAllConnections(server.url);
  onTestFinished(() => {
    for (const connection of taken) connection.end();
  });
  const { signed, read } = await burst(program, 'full');
  const refused =
    expectAnswered(signed, 201, connectedWithinMs) + expectAnswered(read, 200, connectedWithinMs);
  report({ 'connections taken': taken.length, requests: signed.length + read.length, refused });
  expect(refused).toBeGreaterThan(0);
  expect((await program.call('GET', '/healthz')).status).toBe(200);

  for (const connection of taken.splice(0)) connection.end();
  await until(async () => (await program.call('GET', '/readyz')).status === 200, 'the host to be ready');
  await until(async () => {
    const again = await burst(program, 'full');
    return [...again.signed, ...again.read].every(({ answer }) => answer.status < 300);
  }, 'everything to be taken again');
  for (const { id } of signed) await untilArrived(id);
  await close();
});

test('every connection of the host waits for a lock: requests wait or are answered 503, none hangs, sending goes on after it', async () => {
  const heldMs = 40_000;
  const database = await createTestDatabase();
  const { program, untilArrived, close } = await startSending(database.url);
  const other = await openRawConnection(database.url);
  await other?.run('begin');
  await other?.run('lock table waiver in access exclusive mode');
  const bursting = burst(program, 'locked');
  const notReady = await until(async () => {
    const answer = await program.call('GET', '/readyz');
    return answer.status === 503 && answer;
  }, 'the host to say that it is not ready');
  expect(notReady.body.code).toBe('not_ready');
  expect((await program.call('GET', '/healthz')).status).toBe(200);
  await delay(heldMs);
  await other?.run('rollback');
  other?.end();

  const { signed, read } = await bursting;
  const refused = expectAnswered(signed, 201, answeredWithinMs) + expectAnswered(read, 200, answeredWithinMs);
  report({ 'held, ms': heldMs, requests: signed.length + read.length, refused });
  const taken = signed.filter(({ answer }) => answer.status === 201);
  await until(async () => (await program.call('GET', '/readyz')).status === 200, 'the host to be ready');
  await program.done('POST', '/v1/pools/p/waivers', { id: 'after', answers: { name: 'Ada' } });
  for (const { id } of [...taken, { id: 'after' }]) await untilArrived(id);
  await close();
  await database.drop();
});
