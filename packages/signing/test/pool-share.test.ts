import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPoolShare, HttpProblem } from '@waiver-service/http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGuestTurns, type GuestTurns } from '../src/links/guest-turns.ts';

const MiB = 1024 ** 2;

function fakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

function setUp(limits: { readonly maxSourceBytes?: number; readonly turns?: GuestTurns } = {}) {
  const share = createPoolShare({
    sourceOf: (request: { pool: string; link: string | null; address: string }) => request,
    ...limits,
  });
  /** Sends `bytes`, of a body that goes on. */
  const send = async (pool: string, bytes: number, { link = null, address = '192.0.2.1' }: Place = {}) => {
    const request = { pool, link, address };
    const raw = new ServerResponse(new IncomingMessage(new Socket()));
    const source = new PassThrough();
    const body = await share.take(request, { raw }, source);
    // What it is refused for is known at once; it hears so later.
    body.on('error', () => {});
    let isParsed = false;
    body.on('end', () => {
      isParsed = true;
    });
    body.resume();
    const write = async (length: number) => {
      source.write(Buffer.alloc(length));
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    };
    await write(bytes);
    const end = async () => {
      source.end();
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    };
    return {
      ...{ request, write, end },
      close: () => raw.emit('close'),
      isParsed: () => isParsed,
      isClosed: () => body.closed,
      code: () =>
        body.errored instanceof HttpProblem ? `${body.errored.status} ${body.errored.code}` : undefined,
    };
  };
  return { share, send };
}

interface Place {
  readonly link?: string | null;
  readonly address?: string;
}

const busy = '429 pool_busy';

test('a pool may have 4 MiB of bodies under way, and takes nothing from another one', async () => {
  const { send } = setUp();
  for (let count = 0; count < 16; count += 1) expect((await send('loud', 256 * 1024)).code()).toBeUndefined();
  expect((await send('loud', 1)).code()).toBe(busy);
  expect((await send('quiet', 256 * 1024)).code()).toBeUndefined();
});

test('a body counts by what has arrived', async () => {
  const { send } = setUp();
  const trickling = await Promise.all(Array.from({ length: 1_000 }, () => send('p', 1)));
  expect((await send('p', 3 * MiB)).code()).toBeUndefined();
  expect(new Set(trickling.map(({ code }) => code()))).toEqual(new Set([undefined]));
});

test('bodies of one address or link that go on give way to all others', async () => {
  const { send } = setUp();
  const ofAddress = await Promise.all(
    Array.from({ length: 8 }, (_, count) => send('p', MiB / 2, { link: `link ${count}` })),
  );
  const other = await send('p', MiB / 2, { link: 'other', address: '192.0.2.2' });
  expect([other.code(), ofAddress.filter(({ code }) => code() === busy).length]).toEqual([undefined, 1]);
  expect((await send('p', MiB / 2, { link: 'other' })).code()).toBe(busy);

  const byLink = await Promise.all(
    Array.from({ length: 8 }, (_, count) =>
      send('q', MiB / 2, { link: 'flood', address: `192.0.2.${count}` }),
    ),
  );
  const honest = await send('q', MiB / 2, { link: 'honest', address: '192.0.2.9' });
  expect([honest.code(), byLink.filter(({ code }) => code() === busy).length]).toEqual([undefined, 1]);
});

test('one link or address has no more than its part, so that others find room even if all is handled', async () => {
  const { send } = setUp({ maxSourceBytes: 2 * MiB });
  const first = await send('p', 2 * MiB, { link: 'a' });
  await first.end();
  expect((await send('p', 1, { link: 'a', address: '192.0.2.2' })).code()).toBe(busy);
  expect((await send('p', 1, { link: 'b' })).code()).toBe(busy);
  expect((await send('p', 2 * MiB, { link: 'b', address: '192.0.2.2' })).code()).toBeUndefined();
});

test('a request counts until it is answered, or its caller has gone before it was handled', async () => {
  const { send } = setUp();
  for (let count = 0; count < 100; count += 1) {
    const sent = await send('p', 256 * 1024);
    expect(sent.code()).toBeUndefined();
    sent.close();
  }
});

test('a request that is handled counts until that has ended, even if its caller has gone', async () => {
  const { share, send } = setUp();
  const gates: (() => void)[] = [];
  const handling: Promise<unknown>[] = [];
  for (let count = 0; count < 16; count += 1) {
    const { request, close, end } = await send('p', 256 * 1024);
    await end();
    handling.push(share.handle(request, () => new Promise<void>((resolve) => gates.push(resolve))));
    close();
  }
  expect((await send('p', 1, { address: '192.0.2.2' })).code()).toBe(busy);
  for (const open of gates) open();
  await Promise.all(handling);
  for (let count = 0; count < 16; count += 1) expect((await send('p', 256 * 1024)).code()).toBeUndefined();
});

test('a body that has arrived waits for its turn, one that arrives takes none, and who leaves makes room', async () => {
  const { share, send } = setUp({ turns: createGuestTurns() });
  const arriving = await send('loud', 10);
  const [first, leaving, next] = [await send('loud', 10), await send('loud', 10), await send('loud', 10)];
  for (const each of [first, leaving, next]) await each.end();
  expect([first, leaving, next].map((each) => each.isParsed())).toEqual([true, false, false]);
  leaving.close();
  await share.handle(first.request, async () => {});
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect([arriving, leaving, next].map((each) => each.isParsed())).toEqual([false, false, true]);
});

test('who sends large bodies one after another leaves time to other pools in between; a small one takes none', async () => {
  fakeTimers();
  const { share, send } = setUp({ turns: createGuestTurns() });
  const sendWhole = async (bytes: number) => {
    const each = await send('loud', bytes);
    await each.end();
    return each;
  };
  const large = await sendWhole(4 * MiB);
  await share.handle(large.request, async () => {});
  const small = await sendWhole(10);
  await vi.advanceTimersByTimeAsync(499);
  expect(small.isParsed()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect(small.isParsed()).toBe(true);
  await share.handle(small.request, async () => {});
  expect((await sendWhole(10)).isParsed()).toBe(true);
});

test('who is refused while sending hears so after a second', async () => {
  fakeTimers();
  const { send } = setUp();
  const refused = await send('p', 5 * MiB);
  expect(refused.code()).toBe(busy);
  await vi.advanceTimersByTimeAsync(999);
  expect(refused.isClosed()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(refused.isClosed()).toBe(true);
});
