import { zAvailability, zBooking, zProduct } from '@octocloud/types';
import { type NativeExchange, runContractSuite } from '@waiver-service/contract-suite';
import type { Booking, WarningCode } from '@waiver-service/core';
import { expect, test } from 'vitest';
import zaui from '../src/index.ts';
import { bookingId, bookingNames, fixture, productId, unitItemId } from './fixtures.ts';

const contact = { name: 'Maëlle Tremblay', email: 'maelle@example.com', phoneNumber: '+1 604 555 0101' };
const adult = { participantType: 'adult', unitId: 'adults_01' };
const usual: Booking = {
  id: bookingId,
  status: 'CONFIRMED',
  statusGroup: 'active',
  contact,
  pax: 3,
  guests: [
    { id: unitItemId(1), ...adult },
    { id: unitItemId(2), name: 'Odile Tremblay', ...adult },
    { id: unitItemId(3), participantType: 'child', unitId: 'children_01' },
  ],
  bookedSessions: [
    {
      startsAt: '2027-07-03T17:00:00Z',
      endsAt: '2027-07-03T20:30:00Z',
      activityId: productId,
      activityName: '10:00am - River run',
    },
  ],
  notes: 'Two vegetarians',
  supplierReference: 'ZX-1',
};
const readProduct: NativeExchange = {
  request: { method: 'GET', path: `/products/${productId}` },
  answer: { body: fixture('product') },
};
const reads = (name: string, changes: Partial<Booking>, warnings: readonly WarningCode[]) => ({
  name,
  body: fixture(name),
  further: [readProduct],
  expected: { booking: { ...usual, ...changes }, warnings },
});
const nameless: WarningCode = 'guest_without_name';
const { notes: _notes, ...withoutNotes } = usual;

runContractSuite(zaui, {
  isAuthentic: ({ headers }, { account }) => headers.authorization === `Bearer ${account.apiKey}`,
  judged: [
    { name: 'no key', answer: { status: 400, body: { error: 'UNAUTHORIZED' } }, meaning: 'bad-key' },
    { name: 'a wrong key', answer: { status: 400, body: { error: 'FORBIDDEN' } }, meaning: 'bad-key' },
    {
      name: 'no such booking',
      answer: { status: 400, body: { error: 'INVALID_BOOKING_UUID', errorMessage: 'no' } },
      meaning: 'not-found',
    },
    {
      name: 'too many requests',
      answer: { status: 429, headers: { 'OCTO-RateLimit-RetryAfter': '10' }, body: {} },
      meaning: 'throttled',
    },
  ],
  native: {
    bookingId,
    readRequest: { method: 'GET', path: '/bookings/{bookingId}' },
    bodies: [
      reads('confirmed', {}, [nameless]),
      {
        ...reads('confirmed', { status: 'MOVED', statusGroup: 'other' }, [nameless, 'unknown_status']),
        name: 'confirmed, in a status that OCTO does not have',
        body: fixture('confirmed', { status: 'MOVED' }),
      },
      {
        name: 'confirmed, without unit items',
        body: fixture('confirmed', { unitItems: [] }),
        further: [readProduct],
        expected: { booking: { ...usual, pax: 0, guests: [] }, warnings: ['nobody_expected'] },
      },
      {
        ...reads('on-hold', {}, [nameless]),
        expected: {
          booking: {
            ...withoutNotes,
            status: 'ON_HOLD',
            statusGroup: 'other',
            contact: { name: '' },
            pax: 1,
            guests: [{ id: unitItemId(1), ...adult }],
          },
          warnings: ['contact_incomplete', nameless],
        },
      },
      reads(
        'cancelled',
        {
          status: 'CANCELLED',
          statusGroup: 'cancelled',
          guests: usual.guests?.map(({ name: _name, ...guest }) => guest) ?? [],
        },
        [nameless],
      ),
      reads(
        'whole-raft',
        { pax: 6, guests: [{ id: unitItemId(1), participantType: 'OTHER', unitId: 'rafts_01' }] },
        [nameless],
      ),
      reads('times-without-an-offset', {}, [nameless]),
    ],
    notFound: {
      status: 400,
      body: { error: 'INVALID_BOOKING_UUID', errorMessage: 'no such booking', uuid: bookingId },
    },
    keyRefused: { status: 400, body: { error: 'FORBIDDEN', errorMessage: 'the key is wrong' } },
    refusals: [
      {
        name: 'an internal error',
        answer: { status: 400, body: { error: 'INTERNAL_SERVER_ERROR', errorMessage: 'oops' } },
        code: 'booking_system_error',
      },
      {
        name: 'a limit that was exceeded',
        answer: { status: 429, headers: { 'OCTO-RateLimit-RetryAfter': '10' }, body: {} },
        code: 'booking_system_rate_limited',
      },
    ],
  },
});

// The published schema also requires fields of an availability that only a sale needs (cutoff, places left). Reading a
// booking uses none of them, and the fixtures omit them.
const availability = zAvailability.pick({
  id: true,
  localDateTimeStart: true,
  localDateTimeEnd: true,
  allDay: true,
  openingHours: true,
});
const zFixture = zBooking.extend({ availability });

test.each(bookingNames)('%s conforms to OCTO’s schema', (name) => {
  zFixture.parse(fixture(name));
});

test('the product conforms to OCTO’s schema', () => {
  zProduct.parse(fixture('product'));
});

test('the schemas do reject invalid bookings and products', () => {
  expect(zFixture.safeParse(fixture('confirmed', { status: 'SOLD' })).success).toBe(false);
  expect(zFixture.safeParse(fixture('confirmed', { availability: { allDay: 'no' } })).success).toBe(false);
  expect(zProduct.safeParse(fixture('product', { options: [{}] })).success).toBe(false);
});
