import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPoolShare, HttpProblem } from '@waiver-service/http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGuestBudgets, type GuestAction } from '../src/links/guest-budgets.ts';
import { createGuestTurns, type GuestTurns, type TurnLimits, withoutTurn } from '../src/links/guest-turns.ts';

const minuteMs = 60_000;
const MiB = 1024 ** 2;

function setUp() {
  let now = 0;
  const budgets = createGuestBudgets(() => now);
  /** The code of the refusal; undefined if it was taken. */
  const take = (counted: GuestAction | 'bytes', place: object = {}, amount = 1): string | undefined => {
    const source = { pool: 'rafting', link: 'link', address: '192.0.2.1', ...place };
    try {
      budgets.take(counted, source, amount);
      return undefined;
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status !== 429) throw error;
      expect(Number(error.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      return error.code;
    }
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { take, wait };
}

test('a class of 200 behind one address, with one link, opens, fills in, signs and reads its copy', () => {
  const { take } = setUp();
  const refused = new Set<string | undefined>();
  for (let guest = 0; guest < 200; guest += 1) {
    refused.add(take('open')).add(take('recognize')).add(take('sign')).add(take('copy'));
    for (let page = 0; page < 5; page += 1) refused.add(take('page'));
    refused.add(take('bytes', {}, 600 * 1024));
  }
  expect([...refused]).toEqual([undefined]);
});

test('a busy day of 3,000 guests with five pages each fits, at one link and behind one address', () => {
  const { take, wait } = setUp();
  const refused = new Set<string | undefined>();
  for (let guest = 0; guest < 3_000; guest += 1) {
    refused
      .add(take('open'))
      .add(take('sign'))
      .add(take('bytes', {}, MiB));
    for (let page = 0; page < 5; page += 1) refused.add(take('page'));
    wait(10_000);
  }
  expect([...refused]).toEqual([undefined]);
});

test.each(['open', 'page', 'sign', 'copy', 'recognize'] as const)(
  'a flood of "%s" is refused by link, by address and by pool, until its minute is over',
  (action) => {
    const { take, wait } = setUp();
    const floodFrom = (place: (count: number) => object) => {
      for (let count = 0; count < 20_000; count += 1) {
        const code = take(action, place(count));
        if (code !== undefined) return code;
      }
      return 'none';
    };
    expect(floodFrom((count) => ({ address: `192.0.2.${count % 200}` }))).toBe('too_many_by_link');
    wait(minuteMs);
    expect(floodFrom((count) => ({ link: `link ${count % 200}` }))).toBe('too_many_from_address');
    wait(minuteMs);
    const spread = (count: number) => ({ link: `link ${count % 200}`, address: `192.0.2.${count % 200}` });
    expect(floodFrom(spread)).toBe('too_many_in_pool');
    expect(take(action, { pool: 'climbing', link: 'theirs' })).toBeUndefined();
    wait(minuteMs);
    expect(take(action)).toBeUndefined();
  },
);

test('a refused request takes from no budget, and bytes count beside numbers', () => {
  const { take } = setUp();
  expect(take('bytes', {}, 129 * MiB)).toBe('too_many_by_link');
  expect(take('bytes', {}, 128 * MiB)).toBeUndefined();
  expect(take('bytes', {}, 1)).toBe('too_many_by_link');
  expect(take('bytes', { link: null }, 1)).toBe('too_many_from_address');
  expect(take('bytes', { link: 'other', address: '192.0.2.2' }, 1)).toBeUndefined();
});

test('an IPv6 network is one address', () => {
  const { take } = setUp();
  let code: string | undefined;
  for (let count = 0; code === undefined && count < 1_000; count += 1)
    code = take('sign', { link: `link ${count}`, address: `2001:db8::${count.toString(16)}` });
  expect(code).toBe('too_many_from_address');
});

describe('turns', () => {
  const settle = async () => {
    for (let each = 0; each < 5; each += 1) await nextTurn();
  };

  function setUp(limits: Partial<TurnLimits> = {}) {
    const turns = createGuestTurns(limits);
    const begun: string[] = [];
    const enter = (name: string, { pool = 'rafting', link = 'link', address = '192.0.2.1' } = {}) => {
      const turn = turns.take({ pool, link, address });
      const waits = turn.begun.then(() => {
        begun.push(name);
      });
      waits.catch(() => {});
      return { turn, waits };
    };
    return { turns, begun, enter };
  }

  const other = { link: 'other', address: '192.0.2.2' };
  const third = { link: 'third', address: '192.0.2.3' };

  test('a link has one request in progress, its pool two, and other pools their own', async () => {
    const { begun, enter } = setUp();
    const first = enter('first');
    enter('second');
    enter('of the same address', { link: 'next' });
    enter('other', other);
    enter('third', third);
    enter('climbing', { pool: 'climbing' });
    await settle();
    expect(begun).toEqual(['first', 'other', 'climbing']);
    first.turn.end();
    await settle();
    expect(begun).toEqual(['first', 'other', 'climbing', 'second']);
  });

  test('links that wait are served alternately, however many requests one has', async () => {
    const { begun, enter } = setUp({ maxOfPool: 1 });
    const entered = new Map<string, ReturnType<typeof enter>>();
    for (const each of [0, 1, 2, 3, 4, 5]) entered.set(`loud ${each}`, enter(`loud ${each}`));
    for (const each of [0, 1]) entered.set(`other ${each}`, enter(`other ${each}`, other));
    for (let count = 0; count < 8; count += 1) {
      await settle();
      entered.get(begun.at(-1) ?? '')?.turn.end();
    }
    expect(begun.slice(0, 5)).toEqual(['loud 0', 'loud 1', 'other 0', 'loud 2', 'other 1']);
    expect(begun).toHaveLength(8);
  });

  test('others have their turns while one waits for a booking system, and it goes on before those that wait', async () => {
    const { turns, begun, enter } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    const source = { pool: 'rafting', link: 'link', address: '192.0.2.1' };
    const done = turns.run(source, new AbortController().signal, async () => {
      begun.push('begins');
      await withoutTurn(() => promise);
      begun.push('goes on');
    });
    const next = enter('next');
    enter('last');
    await settle();
    expect(begun).toEqual(['begins', 'next']);
    resolve();
    await settle();
    expect(begun).toEqual(['begins', 'next']);
    next.turn.end();
    await done;
    await settle();
    expect(begun).toEqual(['begins', 'next', 'goes on', 'last']);
  });

  test('a school class may wait; what one link has beyond is told to come again, and others still may', async () => {
    const { enter } = setUp();
    for (let guest = 0; guest < 251; guest += 1) enter(`guest ${guest}`);
    let problem: unknown;
    try {
      enter('beyond');
    } catch (error) {
      problem = error;
    }
    expect(problem).toMatchObject({ status: 429, code: 'pool_busy', headers: { 'retry-after': '1' } });
    expect(problem).toBeInstanceOf(HttpProblem);
    const { waits } = enter('other', other);
    await waits;
  });

  test('who leaves makes room, before and in the turn', async () => {
    const { turns, begun, enter } = setUp();
    const first = enter('first');
    const leaving = enter('leaving');
    enter('next');
    const caller = new AbortController();
    const source = { pool: 'rafting', link: 'link', address: '192.0.2.1' };
    const aborted = turns.run(source, caller.signal, async () => begun.push('aborted'));
    leaving.turn.end();
    await expect(leaving.waits).rejects.toThrow('before its turn');
    caller.abort();
    await expect(aborted).rejects.toThrow('before its turn');
    first.turn.end();
    first.turn.end();
    await settle();
    expect(begun).toEqual(['first', 'next']);
  });

  test('a request that fails ends its turn', async () => {
    const { turns, begun, enter } = setUp();
    const source = { pool: 'rafting', link: 'link', address: '192.0.2.1' };
    const failed = turns.run(source, new AbortController().signal, async () => {
      throw new Error('broken');
    });
    await expect(failed).rejects.toThrow('broken');
    await enter('next').waits;
    expect(begun).toEqual(['next']);
  });
});

describe('bodies', () => {
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
    for (let count = 0; count < 16; count += 1)
      expect((await send('loud', 256 * 1024)).code()).toBeUndefined();
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
});
