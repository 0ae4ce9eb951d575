import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createPoolShare, inPool } from '../../src/waiver-routes/pool-share.ts';

function setUp() {
  const share = createPoolShare({ poolOf: inPool });
  const send = async (pool: string, bytes?: number) => {
    const headers = bytes === undefined ? {} : { 'content-length': String(bytes) };
    const request = { params: { pool }, headers };
    const raw = new ServerResponse(new IncomingMessage(new Socket()));
    await share.take(request, { raw });
    return { request, close: () => raw.emit('close') };
  };
  return { share, send };
}

test('a pool may have 4 MiB of bodies under way, and takes nothing from another one', async () => {
  const { send } = setUp();
  for (let count = 0; count < 16; count += 1) await send('loud', 256 * 1024);
  await expect(send('loud', 1)).rejects.toMatchObject({
    status: 429,
    code: 'pool_busy',
    headers: { 'retry-after': '1' },
  });
  await send('quiet', 256 * 1024);
});

test('a body whose length is not told counts as the longest there may be', async () => {
  const { send } = setUp();
  for (let count = 0; count < 16; count += 1) await send('loud');
  await expect(send('loud')).rejects.toMatchObject({ code: 'pool_busy' });
});

test('a request counts until it is answered, or its caller has gone before it was handled', async () => {
  const { send } = setUp();
  for (let count = 0; count < 100; count += 1) (await send('p', 256 * 1024)).close();
});

test('a request that is handled counts until that has ended, even if its caller has gone', async () => {
  const { share, send } = setUp();
  const gates: (() => void)[] = [];
  const handling: Promise<unknown>[] = [];
  for (let count = 0; count < 16; count += 1) {
    const { request, close } = await send('p', 256 * 1024);
    handling.push(share.handle(request, () => new Promise<void>((resolve) => gates.push(resolve))));
    close();
  }
  await expect(send('p', 1)).rejects.toMatchObject({ code: 'pool_busy' });
  for (const open of gates) open();
  await Promise.all(handling);
  for (let count = 0; count < 16; count += 1) await send('p', 256 * 1024);
});
