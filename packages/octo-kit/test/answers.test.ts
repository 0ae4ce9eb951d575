import { type BookingSystemResponse, isBookingSystemError } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import { httpStatusOf, judgeAnswer, raiseForOcto } from '../src/answers.ts';

const answer = (status: number, error?: string, errorMessage?: string): BookingSystemResponse => ({
  status,
  headers: {},
  data: { error, errorMessage },
});
const failureOf = (response: BookingSystemResponse, reading?: string) => {
  try {
    raiseForOcto(
      response,
      reading === undefined ? { purpose: 'guest-update' } : { purpose: 'read', bookingId: reading },
    );
  } catch (error) {
    return isBookingSystemError(error) ? error : undefined;
  }
  return undefined;
};

describe('what OCTO says in a body, under its one status 400', () => {
  test.each([
    ['UNAUTHORIZED', 'bad-key'],
    ['FORBIDDEN', 'bad-key'],
    ['INVALID_BOOKING_UUID', 'not-found'],
    ['INVALID_PRODUCT_ID', undefined],
    ['UNPROCESSABLE_ENTITY', undefined],
  ])('%s means %s, with its words', (error, meaning) => {
    const expected = meaning && { meaning, vendorMessage: `${error}: no` };
    expect(judgeAnswer(answer(400, error, 'no'))).toEqual(expected);
  });

  test.each([
    ['INVALID_PRODUCT_ID', 404, 'booking_not_found', 'waiver_rejected'],
    ['INTERNAL_SERVER_ERROR', 500, 'booking_system_error', 'booking_system_error'],
    ['UNPROCESSABLE_ENTITY', 400, 'booking_system_error', 'waiver_rejected'],
  ])('%s is %i: %s of a read, %s of a write', (error, status, ofRead, ofWrite) => {
    expect(httpStatusOf(answer(400, error))).toBe(status);
    expect(failureOf(answer(400, error), 'b1')?.code).toBe(ofRead);
    expect(failureOf(answer(400, error))?.code).toBe(ofWrite);
  });

  test('counts only where the status is 400', () => {
    for (const status of [200, 403, 503]) {
      expect(httpStatusOf(answer(status, 'INVALID_PRODUCT_ID'))).toBe(status);
      expect(judgeAnswer(answer(status, 'UNAUTHORIZED'))).toBeUndefined();
    }
  });
});

test('a refusal repeats the system’s words, as many as there are', () => {
  const said = (response: BookingSystemResponse) => failureOf(response, 'b1')?.message;
  expect(said(answer(500, 'E1', 'broken'))).toContain('saying "E1: broken"');
  expect(said(answer(500, 'E1'))).toContain('saying "E1"');
  expect(said(answer(500, undefined, 'broken'))).toContain('saying "broken"');
  expect(said(answer(500))).not.toContain('saying');
  expect(failureOf(answer(400, 'E1', 'broken'))?.message).toContain('saying "E1: broken"');
});
