import type { BookingSystemResponse } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import zaui from '../src/index.ts';
import { bookingId, fixture, productId } from './fixtures.ts';

const unexpected = () => Promise.reject(new Error('a call was made'));

/** Reads a booking from a Zaui that has this product. Also returns the requested paths. */
async function read(booking: object, product: object = fixture('product')) {
  const asked: string[] = [];
  const get = async (path: string): Promise<BookingSystemResponse> => {
    asked.push(path);
    return { status: 200, headers: {}, data: path.startsWith('products/') ? product : booking };
  };
  const context = {
    http: { get, delete: unexpected, post: unexpected, put: unexpected, patch: unexpected },
    pool: 'pool-1',
    settings: {},
    account: { accountId: 'a', apiKey: 'k' },
    purpose: 'read' as const,
    installation: crypto.randomUUID(),
    secrets: { redact: String, redactData: String },
    signal: new AbortController().signal,
  };
  const fetched = await zaui.fetchBooking(context, bookingId);
  return { ...fetched, asked };
}

test('the key goes to Zaui’s public address', () => {
  const access = { settings: {}, account: { accountId: 'a', apiKey: 'k' }, purpose: 'read' as const };
  expect(zaui.defaultBaseUrl?.(access)).toBe('https://api.zaui.io/octo');
  expect(zaui.authHeaders(access)).toEqual({ Authorization: 'Bearer k' });
});

describe('how long a 429 lasts', () => {
  const waitOf = (headers: Record<string, string>) =>
    zaui.judgeAnswer?.({ status: 429, headers, data: '' })?.retryAfterMs;

  test('is what Zaui’s own header says, in seconds', () => {
    expect(waitOf({ 'octo-ratelimit-retryafter': '10' })).toBe(10_000);
    expect(waitOf({ 'octo-ratelimit-retryafter': ' 7 ' })).toBe(7_000);
    expect(waitOf({ 'octo-ratelimit-retryafter': '0' })).toBe(0);
  });

  test('is left to the usual header where Zaui’s own says no such thing', () => {
    for (const value of ['', '-1', '1.5', 'soon', '123456']) {
      expect(waitOf({ 'octo-ratelimit-retryafter': value }), value).toBeUndefined();
    }
    expect(waitOf({})).toBeUndefined();
    expect(waitOf({ 'retry-after': '30' })).toBeUndefined();
  });

  test('concerns no other answer', () => {
    const headers = { 'octo-ratelimit-retryafter': '10' };
    expect(zaui.judgeAnswer?.({ status: 200, headers, data: {} })).toBeUndefined();
    expect(zaui.judgeAnswer?.({ status: 503, headers, data: '' })).toBeUndefined();
  });
});

test('a booking names its product and units by id: both come from one request for the product', async () => {
  const { booking, asked } = await read(fixture('confirmed'));
  expect(asked).toEqual([`bookings/${bookingId}`, `products/${productId}`]);
  expect(booking.guests.map(({ participantType }) => participantType)).toEqual(['adult', 'adult', 'child']);
});

test('a product may have a number for an id', async () => {
  const { asked } = await read(fixture('confirmed', { productId: 121 }));
  expect(asked.at(-1)).toBe('products/121');
});

test('one unit may stand for several people', async () => {
  expect((await read(fixture('whole-raft'))).booking.pax).toBe(6);
});

test('times without an offset are the product’s', async () => {
  const product = fixture('product', { timeZone: 'America/Halifax' });
  const { booking } = await read(fixture('times-without-an-offset'), product);
  expect(booking.bookedSessions[0]?.startsAt).toBe('2027-07-03T13:00:00Z');
});

test('a hold that has ended is no booking any more', async () => {
  expect((await read(fixture('on-hold', { status: 'EXPIRED' }))).booking.statusGroup).toBe('cancelled');
});

test('nothing is written: Zaui’s update is not available', () => {
  expect(zaui.pushWaiver).toBeUndefined();
  expect(zaui.capabilities).toMatchObject({ guestUpdate: false, takes: [], inbound: 'none' });
});
