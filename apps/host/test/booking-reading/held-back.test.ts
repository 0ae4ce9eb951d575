import { AuthenticationRejected, BookingNotFound, RateLimited } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { heldBackFor, ReadHeldBack } from '../../src/booking-reading/read-breaker.ts';

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
