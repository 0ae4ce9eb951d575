import { BookingNotFound, BookingSystemTimeout, RateLimited } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { createReadBreaker, ReadHeldBack } from '../../src/booking-reading/read-breaker.ts';

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
