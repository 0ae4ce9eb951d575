import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { isTooSlow, listen, stopListening } from '../src/app/connections.ts';
import { createApp } from '../src/app/create-app.ts';
import { nothingElse } from './nothing-else.ts';

const MiB = 1024 ** 2;

test('4 MiB by 3G, by a third of it and after a pause get through; a trickle does not', () => {
  const isEnded = (bytesPerSecond: number, pauseMs = 0) => {
    for (let elapsedMs = 0; ; elapsedMs += 1_000) {
      const bytes = Math.max(0, ((elapsedMs - pauseMs) / 1_000) * bytesPerSecond);
      if (bytes >= 4 * MiB) return false;
      if (isTooSlow(bytes, elapsedMs)) return true;
    }
  };
  expect(isEnded(48_000)).toBe(false);
  expect(isEnded(16_500)).toBe(false);
  expect(isEnded(48_000, 9_000)).toBe(false);
  expect(isEnded(8_000)).toBe(true);
  expect(isTooSlow(1, 10_900)).toBe(true);
});

test('a body that trickles is answered with 408, and one that breaks off is not waited for', async () => {
  const app = createApp({
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    ...nothingElse,
  });
  onTestFinished(() => stopListening(app, 0));
  app.post('/body', { config: { access: 'public' } }, async ({ body }) => ({ body }));
  const { hostname, port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }));
  const send = async (text: string) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n${text}`,
    );
    return socket;
  };
  const slow = await send('"a');
  const broken = await send('"a');
  broken.destroy();
  const honest = await send('"a');
  await delay(500);
  honest.write('bc"');
  expect(String((await once(honest, 'data'))[0])).toContain('{"body":"abc"}');
  honest.destroy();
  const [answer] = await once(slow, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"code":"request_timeout"/);
  await once(slow, 'close');
});
