import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../src/index.ts';
import { BodyExcerpt } from '../src/transport/transport.ts';
import { serveHttp } from './loopback-servers.ts';

test('of any body the beginning is kept and the whole is counted, however it is cut into chunks', () => {
  const chunk = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(chunk), fc.nat(100), (chunks, most) => {
      const body = new BodyExcerpt(most);
      for (const bytes of chunks) body.add(bytes);
      const whole = Buffer.concat(chunks);
      expect(body.size).toBe(whole.length);
      expect(body.bytes().equals(whole.subarray(0, most))).toBe(true);
    }),
  );
});

test('long answers to webhooks are not held in memory while they come in', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  const answers = 16;
  let poured = 0;
  const server = await serveHttp((_request, response) => {
    for (let part = 0; part < 3; part += 1) response.write(mebibyte);
    response.write(mebibyte, () => {
      poured += 1;
    });
  });
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 30_000 });
  const giveUp = new AbortController();
  onTestFinished(async () => {
    await outbound.close();
    await server.close();
  });
  const heldBytes = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };

  const before = heldBytes();
  const url = `http://127.0.0.1:${server.port}/`;
  const endpoint = outbound.endpoint({ url, headers: {} });
  const message = { body: '', signal: giveUp.signal };
  const sent = Array.from({ length: answers }, () => endpoint.post(message));
  const settled = Promise.allSettled(sent);
  await expect.poll(() => poured).toBe(answers);
  // All of it has come, and no answer has ended.
  await expect.poll(() => heldBytes() - before).toBeLessThan(answers * 1024 * 1024);
  giveUp.abort();
  await settled;
});
