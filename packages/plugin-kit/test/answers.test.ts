import { isBookingSystemError } from '@waiver-service/core';
import { describe, expect, it, test } from 'vitest';
import {
  bookingSegment,
  expectObject,
  invalidIdReason,
  isJsonObject,
  kindOf,
  quoted,
  raiseForStatus,
  vendorMessageIn,
} from '../src/index.ts';

const answer = (status: number, data: unknown = '', headers: Readonly<Record<string, string>> = {}) => ({
  status,
  data,
  headers,
});

function thrownBy(call: () => void) {
  try {
    call();
  } catch (error) {
    if (isBookingSystemError(error)) return error;
    throw error;
  }
  return undefined;
}
const ofRead = (status: number, data?: unknown, vendorMessage?: string) =>
  thrownBy(() =>
    raiseForStatus(answer(status, data), {
      bookingSystem: 'Acme',
      purpose: 'read',
      bookingId: 'B 1',
      vendorMessage,
    }),
  );
const ofWrite = (status: number, vendorMessage?: string) =>
  thrownBy(() =>
    raiseForStatus(answer(status), { bookingSystem: 'Acme', purpose: 'guest-update', vendorMessage }),
  );

describe('the status of a response', () => {
  it('200 to 299 is a success for every caller', () => {
    for (const of of [ofRead, ofWrite]) {
      expect([200, 299].map((status) => of(status))).toEqual([undefined, undefined]);
      expect([199, 300].map((status) => of(status)?.code)).toEqual([
        'booking_system_error',
        'booking_system_error',
      ]);
    }
  });

  it('a 403 may have other reasons than a wrong key, and says so', () => {
    expect(ofRead(401)?.message).toContain('does not accept the account’s API key');
    expect(ofRead(403)?.message).toMatch(
      /key may be wrong, lack a permission, or belong to another account$/,
    );
  });

  it.each([400, 401, 403, 404, 410, 420, 429, 500])(
    '%i becomes the right error, which has the status',
    (status) => {
      for (const error of [ofRead(status), ofWrite(status)]) {
        expect(error).toMatchObject({ upstreamStatus: status, outboundErrorCode: 'http_status' });
        expect(error?.message).toContain('Acme');
        if (error?.code !== 'booking_not_found') expect(error?.message).toContain(`status ${status}`);
      }
    },
  );

  it('the message blames the booking system from 500 on', () => {
    expect([499, 500, 599].map((status) => ofRead(status)?.message)).toEqual([
      expect.stringContaining('check its base address'),
      expect.stringContaining('try again later'),
      expect.stringContaining('try again later'),
    ]);
  });

  it('404 rejects a waiver, means not found for a read, and is a failure elsewhere', () => {
    expect(ofRead(404)).toMatchObject({ code: 'booking_not_found' });
    expect(ofWrite(404)).toMatchObject({ code: 'waiver_rejected', retry: 'schedule' });
    expect(
      thrownBy(() => raiseForStatus(answer(404), { bookingSystem: 'Acme', purpose: 'other' })),
    ).toMatchObject({
      code: 'booking_system_error',
    });
  });

  it('404 hints at the base address unless its body is in the contract’s form', () => {
    expect(ofRead(404, { success: false, message: '' })?.message).toBe('Acme has no booking "B 1"');
    for (const body of ['', null, [], {}, { success: false }, { success: 0, message: 'x' }, { message: 'x' }])
      expect(ofRead(404, body)?.message).toContain('base address');
  });

  it('a rejected waiver quotes the vendor’s message, if there is one', () => {
    expect(ofWrite(422, 'no such field')?.message).toMatch(/, saying "no such field"$/);
    expect(ofWrite(422)?.message).toMatch(/\(status 422\)$/);
  });
});

describe('a long vendor message', () => {
  const shown = (vendorMessage: string) =>
    / saying (".*?"):/.exec(ofRead(400, '', vendorMessage)?.message ?? '')?.[1];

  it('is whole up to 200 characters, then cut after the last word that fits', () => {
    expect(shown('a'.repeat(200))).toBe(`"${'a'.repeat(200)}"`);
    expect(shown(`${'a'.repeat(200)} b`)).toBe(`"${'a'.repeat(200)}…"`);
    expect(shown(`one ${'b'.repeat(197)}`)).toBe('"one…"');
    expect(shown('a'.repeat(201))).toBe('"…"');
    expect(shown('ab '.repeat(1000))).toBe(`"${'ab '.repeat(67).trimEnd()}…"`);
  });
});

describe('ids that cannot be part of a URL', () => {
  it('are refused with the reason, before any request', () => {
    expect(['', '.', '..', '\ud800', '...', 'a/b', '😀'].map(invalidIdReason)).toEqual([
      'it is empty',
      'a URL cannot carry it',
      'a URL cannot carry it',
      'it has half a surrogate pair',
      undefined,
      undefined,
      undefined,
    ]);
    expect(() => bookingSegment('..', 'read')).toThrow('".." is no booking id: a URL cannot carry it');
    expect(() => bookingSegment('', 'guest-update')).toThrow('"" is no booking id: it is empty');
  });
});

describe('values in messages', () => {
  it('are described by their type', () => {
    expect([undefined, null, [], {}, 'x', 1, true].map(kindOf)).toEqual([
      'missing',
      'null',
      'a list',
      'an object',
      'a text',
      'a number',
      'a boolean',
    ]);
    expect([null, [], {}, 'x', undefined].map(isJsonObject)).toEqual([false, false, true, false, false]);
  });

  it('are quoted, truncated after 80 characters', () => {
    expect(quoted('a"b')).toBe('"a\\"b"');
    expect(quoted('x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
    expect(quoted('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
  });

  it.each([
    ['  ', 'an empty answer'],
    ['\n<?xml version="1.0"?>', 'a page of HTML or XML'],
    [' {"id":', 'JSON that is cut off or malformed'],
    ['[1,', 'JSON that is cut off or malformed'],
    ['see {here}', 'a text that is not JSON'],
    ['a < b', 'a text that is not JSON'],
    [[], 'a list of 0'],
    [true, 'a bare true'],
    [undefined, 'a bare undefined'],
  ])('%j is no object: it is told as %s', (body, what) => {
    expect(() => expectObject(body)).toThrow(`a booking was expected, but ${what} came`);
  });
});

test('a vendor’s error message is the texts at the given names', () => {
  expect(vendorMessageIn({ error: 'E1', text: ' broken ', other: {} }, 'error', 'text', 'other')).toBe(
    'E1: broken',
  );
  for (const data of [undefined, 'error', { error: null }]) expect(vendorMessageIn(data, 'error')).toBe('');
});
