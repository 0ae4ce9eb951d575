import {
  AuthenticationRejected,
  BookingNotFound,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  RateLimited,
} from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createSingleFlight } from '../src/reading/booking-reader.ts';
import { withDeadline } from '../src/reading/booking-sources.ts';
import {
  admit,
  afterFailure,
  allowsStaleBooking,
  type BreakerState,
  closed,
  createReadBreaker,
  failuresWithinMs,
  heldBackFor,
  holdMs,
  maxFailuresInARow,
  ReadHeldBack,
} from '../src/reading/read-breaker.ts';

const source = { pool: 'p1', bookingSystem: 'standard', version: '1' };
const { signal } = new AbortController();
const timeOut = () => Promise.reject(new BookingSystemTimeout('no answer'));

async function failTimes(breaker: ReturnType<typeof createReadBreaker>, times: number, of = source) {
  for (let time = 0; time < times; time += 1) {
    await expect(breaker.withBreaker(of, signal, timeOut)).rejects.toThrow('no answer');
  }
}

test('holds back only the failing installation, with its last error; new settings reset it', async () => {
  let now = 0;
  const breaker = createReadBreaker(() => now);
  await failTimes(breaker, 5);
  expect(() => breaker.admit(source)).toThrow(ReadHeldBack);
  expect(() => breaker.admit({ ...source, pool: 'p2' })).not.toThrow();
  expect(() => breaker.admit({ ...source, version: '2' })).not.toThrow();
  expect(breaker.failing()).toEqual([{ pool: 'p1', bookingSystem: 'standard', isHeld: true }]);
  now = 15_000;
  expect(() => breaker.admit(source)).not.toThrow();
  expect(() => breaker.admit(source)).toThrow(expect.objectContaining({ waitMs: 15_000 }));
  await breaker.withBreaker(source, signal, async () => 'a booking');
  expect(() => breaker.admit(source)).not.toThrow();
  expect(breaker.failing()).toEqual([]);
});

test('a response that is not a booking resets the count; an abort by the caller and a fault of the service are not failures', async () => {
  const breaker = createReadBreaker(() => 0);
  await failTimes(breaker, 4);
  const left = AbortSignal.abort(new Error('left'));
  await expect(breaker.withBreaker(source, left, () => Promise.reject(left.reason))).rejects.toThrow('left');
  expect(breaker.failing()).toHaveLength(1);
  const notFound = () => Promise.reject(new BookingNotFound('no such booking'));
  await expect(breaker.withBreaker(source, signal, notFound)).rejects.toThrow('no such');
  await failTimes(breaker, 4);
  expect(() => breaker.admit(source)).not.toThrow();
});

test('keeps note of so many installations only', async () => {
  const breaker = createReadBreaker(() => 0);
  for (let pool = 0; pool < 10_050; pool += 1) await failTimes(breaker, 1, { ...source, pool: `p${pool}` });
  expect(breaker.failing()).toHaveLength(10_000);
});

test('a read that the limits held back says nothing of the booking system', async () => {
  const breaker = createReadBreaker(() => 0);
  await failTimes(breaker, 4);
  const held = () => Promise.reject(new RateLimited('used up', { notSent: true }));
  for (let time = 0; time < 5; time += 1) {
    await expect(breaker.withBreaker(source, signal, held)).rejects.toThrow('used up');
  }
  expect(() => breaker.admit(source)).not.toThrow();
  await failTimes(breaker, 1);
  expect(() => breaker.admit(source)).toThrow(ReadHeldBack);
});

const failAt = (times: readonly number[]): BreakerState => times.reduce(afterFailure, closed);

test('five failures in a row within a minute hold reads back for 15 seconds', () => {
  expect(admit(failAt([0, 1, 2, 3]), 4).waitMs).toBe(0);
  const held = failAt([0, 1, 2, 3, 60_000]);
  expect(admit(held, 60_001).waitMs).toBe(14_999);
  expect(admit(held, 74_999).waitMs).toBe(1);
  expect(admit(failAt([0, 1, 2, 3, 60_001]), 60_002).waitMs).toBe(0);
});

test('then one call probes, and the others are held back until it has ended', () => {
  const probing = admit(failAt([0, 1, 2, 3, 4]), 15_004);
  expect(probing.waitMs).toBe(0);
  expect(admit(probing.state, 15_005).waitMs).toBeGreaterThan(0);
  const again = afterFailure(probing.state, 25_004);
  expect(admit(again, 40_003).waitMs).toBe(1);
  expect(admit(again, 40_004).waitMs).toBe(0);
});

test('reads that began before a hold do not prolong it', () => {
  const held = failAt([0, 1, 2, 3, 4]);
  expect(afterFailure(held, 9_000)).toEqual(held);
});

const event = fc.record({
  afterMs: fc.integer({ min: 0, max: 20_000 }),
  fails: fc.boolean(),
});

test('with any sequence of results, reads are held back only after enough failures in a row, with one probe per hold', () => {
  const property = fc.property(fc.array(event, { maxLength: 60 }), (events) => {
    let state = closed;
    let now = 0;
    let inARow: number[] = [];
    let heldSince: number | undefined;
    for (const { afterMs, fails } of events) {
      now += afterMs;
      const admission = admit(state, now);
      state = admission.state;
      if (admission.waitMs > 0) {
        const last = inARow.slice(-maxFailuresInARow);
        expect(last).toHaveLength(maxFailuresInARow);
        expect(admission.waitMs).toBeLessThanOrEqual(holdMs);
        continue;
      }
      if (heldSince !== undefined) expect(now - heldSince).toBeGreaterThanOrEqual(holdMs);
      if (!fails) {
        [state, inARow, heldSince] = [closed, [], undefined];
        continue;
      }
      state = afterFailure(state, now);
      inARow = [...inARow, now];
      const first = inARow.at(-maxFailuresInARow);
      if (heldSince !== undefined || (first !== undefined && now - first <= failuresWithinMs))
        heldSince = now;
    }
  });
  fc.assert(property, { numRuns: 500 });
});

test('a read that was held back is tried again when it can be', () => {
  expect(heldBackFor(new ReadHeldBack(undefined, 4_000))).toBe(4_000);
  expect(heldBackFor(new RateLimited('used up', { notSent: true, retryAfterMs: 1_500 }))).toBe(1_500);
});

test('without a time it waits for a while: a lost authorization would be asked for without end', () => {
  expect(heldBackFor(new AuthenticationRejected('lost', { notSent: true }))).toBe(60_000);
  expect(heldBackFor(new RateLimited('used up', { notSent: true }))).toBe(60_000);
});

test('a booking system that was asked was not held back', () => {
  expect(heldBackFor(new AuthenticationRejected('wrong key'))).toBeUndefined();
  expect(heldBackFor(new RateLimited('too many', { retryAfterMs: 1_500 }))).toBeUndefined();
  expect(heldBackFor(new BookingNotFound('none'))).toBeUndefined();
  expect(heldBackFor(new Error('a bug'))).toBeUndefined();
});

describe('the last good booking is served', () => {
  it.each([
    ['a time-out', new BookingSystemTimeout('late')],
    ['a 429', new RateLimited('slow down', { upstreamStatus: 429 })],
    ['a 500', new BookingSystemUnavailable('fault', { upstreamStatus: 500 })],
    ['a 503', new BookingSystemUnavailable('fault', { upstreamStatus: 503 })],
    [
      'a refused connection',
      new BookingSystemUnavailable('down', { outboundErrorCode: 'connection_refused' }),
    ],
    [
      'a name that does not resolve',
      new BookingSystemUnavailable('down', { outboundErrorCode: 'dns_error' }),
    ],
  ])('on %s', (_, error) => {
    expect(allowsStaleBooking(error)).toBe(true);
  });

  it.each([
    ['a 401 or 403', new AuthenticationRejected('key', { upstreamStatus: 401 })],
    ['a 404', new BookingNotFound('none', { upstreamStatus: 404 })],
    ['an answer that is no booking', new InvalidBookingResponse('no')],
    [
      'an answer that is too large',
      new InvalidBookingResponse('no', [], { outboundErrorCode: 'response_too_large' }),
    ],
    [
      'a redirect',
      new BookingSystemUnavailable('moved', { upstreamStatus: 302, outboundErrorCode: 'redirect' }),
    ],
    ['a refused address', new BookingSystemUnavailable('no', { outboundErrorCode: 'blocked_address' })],
    ['a fault of the service', new Error('bug')],
  ])('but not on %s', (_, error) => {
    expect(allowsStaleBooking(error)).toBe(false);
  });
});

const never = new AbortController().signal;

describe('concurrent reads of one booking', () => {
  it('share one piece of work, and the next read starts another', async () => {
    const flights = createSingleFlight<number>();
    let started = 0;
    const work = async () => {
      started += 1;
      return started;
    };
    const together = Array.from({ length: 5 }, () => flights.run('a', never, work));
    expect(await Promise.all(together)).toEqual([1, 1, 1, 1, 1]);
    expect(await flights.run('a', never, work)).toBe(2);
    expect(await flights.run('b', never, work)).toBe(3);
  });

  it('all get the rejection, and it is not kept', async () => {
    const flights = createSingleFlight<number>();
    const failing = () => Promise.reject(new Error('down'));
    const results = await Promise.allSettled([
      flights.run('a', never, failing),
      flights.run('a', never, failing),
    ]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run('a', never, async () => 1)).toBe(1);
  });

  it('a caller that aborts does not abort the others', async () => {
    const flights = createSingleFlight<string>();
    const { promise, resolve } = Promise.withResolvers<string>();
    const leaving = new AbortController();
    let workSignal: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      workSignal = signal;
      return promise;
    };
    const first = flights.run('a', leaving.signal, work);
    const second = flights.run('a', never, work);
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(workSignal?.aborted).toBe(false);
    resolve('here');
    expect(await second).toBe('here');
  });

  it('is aborted when the last caller has left, and a later caller starts over', async () => {
    const flights = createSingleFlight<string>();
    const leaving = new AbortController();
    let workSignal: AbortSignal | undefined;
    const first = flights.run('a', leaving.signal, (signal) => {
      workSignal = signal;
      return new Promise(() => undefined);
    });
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(workSignal?.aborted).toBe(true);
    expect(await flights.run('a', never, async () => 'fresh')).toBe('fresh');
  });

  it('does not start work for an aborted caller', async () => {
    const flights = createSingleFlight<string>();
    await expect(
      flights.run('a', AbortSignal.abort(new Error('gone')), () => Promise.reject(new Error('started'))),
    ).rejects.toThrow('gone');
  });
});

describe('a time limit', () => {
  it('ends work that does not look at its signal', async () => {
    await expect(withDeadline(20, never, () => new Promise(() => undefined))).rejects.toMatchObject({
      code: 'booking_system_timeout',
      outboundErrorCode: 'timeout',
    });
  });

  it('tells the work', async () => {
    const aborted = Promise.withResolvers<void>();
    const work = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise<never>(() => undefined);
    };
    await expect(withDeadline(20, never, work)).rejects.toThrow('0.02 seconds');
    await aborted.promise;
  });

  it('resolves and rejects as the work does', async () => {
    expect(await withDeadline(10_000, never, async () => 7)).toBe(7);
    await expect(withDeadline(10_000, never, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('passes on that the caller has gone', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(withDeadline(10_000, gone, () => new Promise(() => undefined))).rejects.toThrow('gone');
  });
});
