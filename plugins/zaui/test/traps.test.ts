import { connect } from '@waiver-service/contract-suite';
import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startZaui, zauiBooking } from '../simulator/index.ts';
import zaui from '../src/index.ts';
import { bookingId, fixture } from './fixtures.ts';

/** Reads a booking from a Zaui that has this product. */
function read(booking: object, product: { readonly id?: unknown } = fixture('product')) {
  nock('https://api.zaui.io/octo')
    .get(`/bookings/${bookingId}`)
    .reply(200, booking)
    .get(`/products/${product.id}`)
    .reply(200, product);
  return connect(zaui, { baseUrl: null }).read(bookingId);
}

test('the key goes to Zaui’s public address', () => {
  const access = { settings: {}, account: { accountId: 'a', apiKey: 'k' }, purpose: 'read' as const };
  expect(zaui.url?.(access)).toBe('https://api.zaui.io/octo');
  expect(zaui.headers(access)).toEqual({ Authorization: 'Bearer k' });
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

test('a product may have a number for an id', async () => {
  await read(fixture('confirmed', { productId: 121 }), fixture('product', { id: 121 }));
  expect(nock.isDone()).toBe(true);
});

test('a hold that has ended is no booking any more', async () => {
  expect((await read(fixture('on-hold', { status: 'EXPIRED' }))).booking.statusGroup).toBe('cancelled');
});

test('nothing is written: Zaui’s update is not available', () => {
  expect(zaui.pushWaiver).toBeUndefined();
  expect(zaui.capabilities).toMatchObject({ guestUpdate: false, takes: [], inbound: 'none' });
});

test('over real HTTP, a product that is gone leaves a warning; its units count as one person each', async () => {
  const system = await startZaui({ apiKey: 'zaui-key-1' });
  onTestFinished(() => system.close());
  system.put({ ...zauiBooking, productId: 'gone' });
  const { read } = connect(zaui, { baseUrl: system.url, account: { apiKey: 'zaui-key-1' } });
  const { booking, warnings } = await read(zauiBooking.uuid);
  expect(booking.pax).toBe(2);
  expect(warnings.map(({ code }) => code)).toContain('value_ignored');
});
