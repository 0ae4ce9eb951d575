import { InvalidBookingResponse } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import { Reading, readBooking } from '../src/index.ts';
import { isTooDeep } from '../src/reading/json.ts';
import { currentBody } from './bookings.ts';

function refusalOf(call: () => unknown): InvalidBookingResponse {
  try {
    call();
  } catch (error) {
    if (error instanceof InvalidBookingResponse) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the report on one response', () => {
  const noting = (warnings: number, issues: number) => {
    const reading = new Reading();
    for (let count = 0; count < warnings; count += 1) reading.warn('value_ignored', `w${count}`, 'ignored');
    for (let count = 0; count < issues; count += 1) reading.refuse(`i${count}`, 'is missing');
    return reading;
  };

  test('lists 1,000 warnings in order, then counts the rest', () => {
    const whole = noting(1000, 0).warnings;
    expect(whole).toHaveLength(1000);
    expect(whole[0]).toEqual({ code: 'value_ignored', path: 'w0', message: 'ignored' });
    expect(whole.at(-1)?.path).toBe('w999');
    const cut = noting(1003, 0).warnings;
    expect(cut).toHaveLength(1001);
    expect(cut.at(-1)).toEqual({ code: 'warnings_left_out', message: '3 more warnings are not listed' });
  });

  test('lists 20 issues in order, then counts the rest', () => {
    const whole = refusalOf(() => noting(0, 20).throwIfRefused());
    expect(whole.issues).toHaveLength(20);
    expect(whole.message).toMatch(/^the answer is not a booking: i0 is missing; .*; i19 is missing$/);
    const cut = refusalOf(() => noting(0, 23).throwIfRefused());
    expect(cut.issues).toHaveLength(20);
    expect(cut.message).toMatch(/^the answer is not a booking \(3 more are not listed\): /);
    expect(() => noting(1, 0).throwIfRefused()).not.toThrow();
  });

  test('has a path if one is known', () => {
    const reading = new Reading();
    reading.warn('value_ignored', undefined, 'ignored');
    expect(reading.warnings).toStrictEqual([{ code: 'value_ignored', message: 'ignored' }]);
  });
});

describe('a response in neither form', () => {
  const fieldsOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_none, index) => [`f${index}`, index]));
  const messageOf = (body: object) => refusalOf(() => readBooking(body)).message;

  test('is described by at most twenty of its fields', () => {
    expect(messageOf({})).toMatch(/what it has is no fields at all$/);
    expect(messageOf({ id: 1, activities: null })).toMatch(/what it has is "id", "activities" \(null\)$/);
    expect(messageOf(fieldsOf(20))).toMatch(/"f18", "f19"$/);
    expect(messageOf(fieldsOf(21))).toMatch(/"f18", "f19", …$/);
  });
});

describe('nesting', () => {
  const lists = (depth: number): unknown => (depth === 0 ? 1 : [lists(depth - 1)]);
  const objects = (depth: number): unknown => (depth === 0 ? 1 : { before: 1, a: objects(depth - 1) });

  test('of 100 levels is read, in lists as in objects; one more is not', () => {
    for (const nested of [lists, objects]) {
      expect(isTooDeep(nested(100))).toBe(false);
      expect(isTooDeep(nested(101))).toBe(true);
    }
    for (const plain of [undefined, null, 1, 'x', {}, []]) expect(isTooDeep(plain)).toBe(false);
  });

  test('is reported for its field, along with other issues', () => {
    const error = refusalOf(() => readBooking({ ...currentBody(), extra: lists(101), pax: 'two' }));
    expect(error.issues.map(({ path }) => path)).toEqual(['extra', 'pax']);
    expect(readBooking({ ...currentBody(), extra: lists(100) }).warnings).toEqual([]);
  });
});
