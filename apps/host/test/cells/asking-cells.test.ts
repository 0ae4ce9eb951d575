import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type RelayedAnswer, RelayFailed, type RelayRequest } from '@waiver-service/outbound';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createCells } from '../../src/cells/cells.ts';
import { LivesElsewhere } from '../../src/cells/lives-elsewhere.ts';
import { createApp } from '../../src/http/create-app.ts';
import type { HostApp } from '../../src/http/host-app.ts';
import { unknownPool } from '../../src/http/http-problem.ts';
import { noTracing } from '../../src/tracing/tracing.ts';
import { noFaults } from '../harness/no-faults.ts';

const cells = new Map([
  ['first', 'http://first.test'],
  ['second', 'http://second.test'],
]);

let app: HostApp;
let asked: RelayRequest[];
/** By origin; a cell that is not in it is silent. */
let answers: Record<string, number>;
/** Whether every cell waits until the request is aborted. */
let waits: boolean;
/** Whether every cell is silent for as long as it may be. */
let hangs: boolean;

async function send(request: RelayRequest): Promise<RelayedAnswer> {
  asked.push(request);
  const status = answers[request.origin];
  if (waits) {
    await once(request.signal, 'abort');
    throw new RelayFailed('connection_reset', undefined);
  }
  if (hangs) await new Promise((resolve) => setTimeout(resolve, request.timeoutMs));
  if (status === undefined) throw new RelayFailed('timeout', undefined);
  return { status, headers: { 'content-type': 'application/json' }, body: Readable.from(['{}']) };
}

beforeAll(() => {
  app = createApp({
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    faults: noFaults,
    tracing: noTracing,
    cells: createCells({
      settings: { cell: 'own', cells, outboundTimeout: 10_000 },
      store: {
        movedPools: {
          movedTo: async () => undefined,
          movedToByKey: async () => undefined,
          mayBeElsewhere: async () => false,
        },
        pools: { setup: async () => undefined },
      },
      outbound: { relay: { send } },
    }),
  });
  const config = { access: 'public' } as const;
  app.get('/moved', { config }, async () => {
    throw new LivesElsewhere(['first']);
  });
  app.get('/search', { config }, async () => {
    throw new LivesElsewhere(['first', 'second'], unknownPool('p'));
  });
});
afterAll(() => app.close());
beforeEach(() => {
  asked = [];
  answers = {};
  waits = false;
  hangs = false;
});
afterEach(() => {
  vi.useRealTimers();
});

test('a silent cell holds a search up for no longer than an install takes', async () => {
  answers = { 'http://second.test': 200 };
  expect((await app.inject('/search')).statusCode).toBe(200);
  expect(asked.map(({ origin, timeoutMs }) => [origin, timeoutMs])).toEqual([
    ['http://first.test', 20_000],
    ['http://second.test', 20_000],
  ]);
});

test('cells that hang hold a search up for half a minute together, and the caller is to come back', async () => {
  hangs = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const started = performance.now();
  const answer = app.inject('/search').then((given) => ({
    status: given.statusCode,
    code: given.json().code,
    retryAfter: given.headers['retry-after'],
    afterMs: performance.now() - started,
  }));
  for (const count of [1, 2]) {
    while (asked.length < count) await new Promise(setImmediate);
    await vi.advanceTimersToNextTimerAsync();
  }
  expect(await answer).toEqual({
    status: 503,
    code: 'cell_unavailable',
    retryAfter: '5',
    afterMs: 30_000,
  });
});

test('a feed of the pool’s own cell may wait as long as it does there', async () => {
  expect((await app.inject('/moved')).json()).toMatchObject({ code: 'cell_timeout' });
  expect(asked).toMatchObject([{ timeoutMs: 50_000 }]);
});

test.each([
  [{ 'http://first.test': 404, 'http://second.test': 401 }, 404, 'unknown_pool'],
  // The one that was silent may have it.
  [{ 'http://second.test': 404 }, 504, 'cell_timeout'],
  [{ 'http://first.test': 600, 'http://second.test': 404 }, 503, 'cell_unavailable'],
])('a pool that no cell has: %o', async (given, status, code) => {
  answers = given;
  const answer = await app.inject('/search');
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test('a host that closes does not wait for another cell’s feed', async () => {
  waits = true;
  const waiting = app.inject('/moved');
  await expect.poll(() => asked.length).toBe(1);
  await app.close();
  const answer = await waiting;
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
});
