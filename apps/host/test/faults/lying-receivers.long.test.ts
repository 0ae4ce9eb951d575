import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { listenLocally, report, until } from '@waiver-service/testing';
import { expect, test } from 'vitest';
import { measure } from '../harness/measured.ts';
import { type Program, startProgram } from '../harness/program.ts';

const answerOf = (length: number) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const mebibyte = Buffer.alloc(1024 * 1024, ' ');

async function pour(socket: Socket, mebibytes: number): Promise<void> {
  for (let count = 0; count < mebibytes && !socket.destroyed; count += 1) {
    if (!socket.write(mebibyte)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
}

async function drip(socket: Socket, text: string, everyMs: number): Promise<void> {
  for (const character of text) {
    if (socket.destroyed) return;
    socket.write(character);
    await delay(everyMs);
  }
}

/** Ways to answer that are none; each is written to the connection as it is. */
const lies = {
  'takes it and resets': async (socket) => {
    socket.write(`${answerOf(60)}{"success":`);
    await delay(20);
    socket.resetAndDestroy();
  },
  'one byte a second': async (socket) => {
    socket.write(answerOf(60));
    await drip(socket, ' '.repeat(60), 1_000);
  },
  'one byte of a header a second': (socket) => drip(socket, answerOf(60), 1_000),
  '100 MB': async (socket) => {
    socket.write(answerOf(100 * 1024 * 1024));
    await pour(socket, 100);
  },
  'a body that never ends': async (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
    await pour(socket, Number.POSITIVE_INFINITY);
  },
  'headers that never end': async (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    while (!socket.destroyed) {
      if (!socket.write(`X-More: ${'x'.repeat(4_000)}\r\n`)) {
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
    }
  },
  'headers and nothing more': async (socket) => {
    socket.write(answerOf(60));
  },
  'no answer': async () => {},
  'a redirect inwards': async (socket) => {
    socket.write(
      'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://169.254.169.254/latest/meta-data/\r\nContent-Length: 0\r\n\r\n',
    );
  },
  'no HTTP': async (socket) => {
    socket.end('220 mail.example ESMTP\r\n');
  },
} satisfies Readonly<Record<string, (socket: Socket) => Promise<void>>>;

/** One of {@link lies}. */
type Lie = keyof typeof lies;

/** The part of an address that asks for a lie. */
const pathOf = (lie: string) => lie.replaceAll(' ', '-').toLowerCase();

/** A receiver that answers each request with the lie that its address names. */
async function startLyingReceiver() {
  const sockets = new Set<Socket>();
  const byPath = new Map<string, (socket: Socket) => Promise<void>>(
    Object.entries(lies).map(([name, tell]) => [pathOf(name), tell]),
  );
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (part) => {
      const [, path = ''] = /^[A-Z]+ (\S+) HTTP/.exec(part.toString('latin1')) ?? [];
      const named = path.split(/[/?]/).find((step) => byPath.has(step));
      // Who was lied to hangs up in the middle of it.
      byPath
        .get(named ?? '')?.(socket)
        .catch(() => {});
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

const timeoutMs = 3_000;
const waiversEach = 25;
const isEnded = /^(?:dead|delivered)$/;

/** The error code of each lie in the log of attempts; all are documented codes. */
const codes: Readonly<Record<Lie, string>> = {
  'takes it and resets': 'connection_reset',
  'one byte a second': 'timeout',
  'one byte of a header a second': 'timeout',
  '100 MB': 'response_too_large',
  'a body that never ends': 'response_too_large',
  'headers that never end': 'response_too_large',
  'headers and nothing more': 'timeout',
  'no answer': 'timeout',
  'a redirect inwards': 'redirect',
  'no HTTP': 'connection_reset',
};

/** Lets a pool's booking system and its webhook tell one lie. */
async function setUp(program: Program, lie: Lie, url: string): Promise<void> {
  const pool = pathOf(lie);
  await program.makePool(pool);
  await program.connect('standard', { url }, pool);
  const webhook = { url: `${url}/${pool}`, auth: { type: 'none' } };
  await program.done('POST', `/v1/admin/pools/${pool}/webhooks`, webhook);
}

/** Every attempt that was made for a pool. */
async function attemptsFor(program: Program, pool: string) {
  const { items } = await program.done('GET', `/v1/admin/deliveries?pool=${pool}&limit=100`);
  const details = [];
  for (const { id, state } of items) {
    if (!isEnded.test(state)) return undefined;
    details.push(await program.done('GET', `/v1/admin/deliveries/${id}`));
  }
  return details.flatMap(({ attempts }) => attempts);
}

test('receivers that lie: each attempt ends in time with its code, memory stays flat, others do not notice', async () => {
  const liar = await startLyingReceiver();
  const honest = await startWebhookReceiver();
  const program = await startProgram({
    OUTBOUND_TIMEOUT: `${timeoutMs}ms`,
    RETRY_SCHEDULE: '0s,0s',
    LOG_LEVEL: 'fatal',
  });
  const named = Object.keys(codes).filter((name): name is Lie => name in lies);
  for (const lie of named) await setUp(program, lie, liar.url);
  await program.makePool('honest');
  const webhook = { url: honest.url, auth: { type: 'none' } };
  await program.done('POST', '/v1/admin/pools/honest/webhooks', webhook);
  const watch = await measure(program);

  for (let count = 0; count < waiversEach; count += 1) {
    for (const lie of named) {
      const waiver = { bookingId: pathOf(lie), answers: { name: 'Ada' } };
      await program.done('POST', `/v1/pools/${pathOf(lie)}/waivers`, waiver);
    }
  }
  // Others are sent to as ever while that goes on.
  const waits: number[] = [];
  let isOver = false;
  const others = (async () => {
    for (let count = 1; !isOver; count += 1) {
      await program.done('POST', '/v1/pools/honest/waivers', { answers: { name: 'Bo' } });
      const accepted = performance.now();
      await honest.untilReceived('webhook', count);
      waits.push(performance.now() - accepted);
    }
  })();
  others.catch(() => {});

  let total = 0;
  for (const lie of named) {
    const attempts = await until(
      () => attemptsFor(program, pathOf(lie)),
      `every attempt to "${lie}"`,
      60_000,
    );
    total += attempts.length;
    expect(attempts.length).toBeGreaterThanOrEqual(waiversEach * 4);
    for (const { errorCode, durationMs } of attempts) {
      // On a machine that is busy, a body may reach the time limit before its own.
      const isLate = codes[lie] === 'response_too_large' && durationMs >= timeoutMs;
      expect([lie, errorCode]).toEqual([lie, isLate ? 'timeout' : codes[lie]]);
      // A little more for a machine that is busy.
      expect(durationMs).toBeLessThan(timeoutMs + 5_000);
    }
  }
  isOver = true;
  await others;
  const longest = Math.round(Math.max(...waits));
  const { peakMiB, startMiB } = await watch.end();
  report({
    lies: named.length,
    attempts: total,
    others: waits.length,
    'longest wait of others, ms': longest,
    peakMiB,
    startMiB,
  });
  expect(waits.length).toBeGreaterThan(5);
  expect(longest).toBeLessThan(timeoutMs);
  // At four of the destinations, eight answers of up to 5 MiB each may be read at once.
  expect(peakMiB - startMiB).toBeLessThan(600);
  expect(await program.stop()).toBe(0);
  await Promise.all([liar.close(), honest.close()]);
}, 900_000);
