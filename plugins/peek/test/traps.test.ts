import { connect } from '@waiver-service/contract-suite';
import nock from 'nock';
import { expect, test } from 'vitest';
import peek from '../src/index.ts';
import { bookingId, fixture } from './fixtures.ts';

/** Reads a booking from a Peek that has this product. */
function read(booking: object, product: { readonly id?: unknown } = fixture('product')) {
  nock('https://octo.peek.com/integrations/octo')
    .get(`/bookings/${bookingId}`)
    .reply(200, booking)
    .get(`/products/${product.id}`)
    .reply(200, product);
  return connect(peek, { baseUrl: null }).read(bookingId);
}

test('a booking names its product and units by id: both come from one request for the product', async () => {
  const { booking } = await read(fixture('confirmed'));
  expect(nock.isDone()).toBe(true);
  expect(booking.guests.map(({ participantType }) => participantType)).toEqual(['adult', 'adult', 'child']);
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

test('nothing is written: Peek does not say what an update does to what it leaves out', () => {
  expect(peek.pushWaiver).toBeUndefined();
  expect(peek.capabilities).toMatchObject({ guestUpdate: false, takes: [], void: false });
});

test('keys for tests and others are sent to one address', () => {
  const account = { accountId: 'a', apiKey: 'k' };
  expect(peek.url?.({ settings: {}, account, purpose: 'read' })).toBe(
    'https://octo.peek.com/integrations/octo',
  );
});
