import type { BookingSystemResponse } from '@waiver-service/core';
import { expect, test } from 'vitest';
import peek from '../src/index.ts';
import { bookingId, fixture, productId, unitItemId } from './fixtures.ts';

const unexpected = () => Promise.reject(new Error('a call was made'));

/** Reads a booking from a Peek that has this product. Also returns the requested paths. */
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
  const fetched = await peek.fetchBooking(context, bookingId);
  return { ...fetched, asked };
}

test('a booking names its product and units by id: both come from one request for the product', async () => {
  const { booking, asked } = await read(fixture('confirmed'));
  expect(asked).toEqual([`bookings/${bookingId}`, `products/${productId}`]);
  expect(booking.guests.map(({ participantType }) => participantType)).toEqual(['adult', 'adult', 'child']);
});

test('one unit may stand for several people', async () => {
  expect((await read(fixture('boats-for-several'))).booking.pax).toBe(8);
});

test('unit items without a contact do not get the booker’s name', async () => {
  const { booking } = await read(fixture('confirmed'));
  expect(booking.guests.map(({ id, name }) => [id, name])).toEqual([
    [unitItemId(1), undefined],
    [unitItemId(2), undefined],
    [unitItemId(3), undefined],
  ]);
});

test('a session over midnight ends on the next day', async () => {
  const [session] = (await read(fixture('over-midnight'))).booking.bookedSessions;
  expect(session).toMatchObject({ startsAt: '2027-07-04T05:30:00Z', endsAt: '2027-07-04T08:00:00Z' });
});

test('a whole day has times all the same; that none was booked is said', async () => {
  const { booking, warnings } = await read(fixture('all-day'));
  expect(booking.bookedSessions[0]?.startsAt).toBe('2027-07-03T16:00:00Z');
  expect(warnings.map(({ code }) => code)).toContain('session_incomplete');
});

test('times without an offset are the product’s', async () => {
  const product = fixture('product', { timeZone: 'America/New_York' });
  const { booking } = await read(fixture('times-without-an-offset'), product);
  expect(booking.bookedSessions[0]?.startsAt).toBe('2027-07-03T22:30:00Z');
});

test('a booking that was redeemed stays active: only its voucher says so', async () => {
  expect((await read(fixture('redeemed'))).booking.statusGroup).toBe('active');
});

test('a cancelled booking keeps its guests and its reference', async () => {
  const { booking } = await read(fixture('cancelled'));
  expect(booking).toMatchObject({ statusGroup: 'cancelled', pax: 3, supplierReference: 'PQ310' });
});

test('nothing is written: Peek does not say what an update does to what it leaves out', () => {
  expect(peek.pushWaiver).toBeUndefined();
  expect(peek.capabilities).toMatchObject({ guestUpdate: false, takes: [], void: false });
});

test('keys for tests and others are sent to one address', () => {
  const account = { accountId: 'a', apiKey: 'k' };
  expect(peek.defaultBaseUrl?.({ settings: {}, account, purpose: 'read' })).toBe(
    'https://octo.peek.com/integrations/octo',
  );
});
