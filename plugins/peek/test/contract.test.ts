import { type NativeExchange, runContractSuite, type StartVendor } from '@waiver-service/contract-suite';
import type { BookedSession, Booking, WarningCode } from '@waiver-service/core';
import { startPeek } from '../simulator/index.ts';
import peek from '../src/index.ts';
import { bookingId, fixture, productId, unitItemId } from './fixtures.ts';

const adult = { participantType: 'adult', unitId: 'seat_single' };
const session: BookedSession = {
  startsAt: '2027-07-04T01:30:00Z',
  endsAt: '2027-07-04T04:00:00Z',
  activityId: productId,
  activityName: 'Sunset paddle',
};
const usual: Booking = {
  id: bookingId,
  status: 'CONFIRMED',
  statusGroup: 'active',
  contact: { name: 'Amélie Okafor', email: 'amelie@example.com', phoneNumber: '+1 503 555 0131' },
  pax: 3,
  guests: [
    { id: unitItemId(1), ...adult },
    { id: unitItemId(2), ...adult },
    { id: unitItemId(3), participantType: 'child', unitId: 'seat_child' },
  ],
  bookedSessions: [session],
  notes: 'Left-handed',
  supplierReference: 'PQ310',
};
const readProduct: NativeExchange = {
  request: { method: 'GET', path: `/products/${productId}` },
  answer: { body: fixture('product') },
};
const nameless: WarningCode = 'guest_without_name';
const reads = (
  name: string,
  changes: Partial<Booking> = {},
  warnings: readonly WarningCode[] = [nameless],
) => ({
  name,
  body: fixture(name),
  further: [readProduct],
  expected: { booking: { ...usual, ...changes }, warnings },
});
const { notes: _notes, ...withoutNotes } = usual;

/** Peek, at which another application has a webhook. */
const vendor: StartVendor = async ({ account: { apiKey } }) => {
  const system = await startPeek({ apiKey });
  system.webhooks.push({ id: 'octohook_0', event: 'booking_update', url: 'https://other.example/' });
  return { ...system, state: () => system.webhooks.map(({ id: _id, ...hook }) => hook) };
};

runContractSuite(peek, {
  isAuthentic: ({ headers }, { account }) => headers.authorization === `Bearer ${account.apiKey}`,
  judged: [
    { name: 'no key', answer: { status: 400, body: { error: 'UNAUTHORIZED' } }, meaning: 'bad-key' },
    { name: 'a wrong key', answer: { status: 400, body: { error: 'FORBIDDEN' } }, meaning: 'bad-key' },
    {
      name: 'no such booking, or a hold that has expired',
      answer: { status: 400, body: { error: 'INVALID_BOOKING_UUID', errorMessage: 'no' } },
      meaning: 'not-found',
    },
  ],
  native: {
    bookingId,
    readRequest: { method: 'GET', path: '/bookings/{bookingId}' },
    bodies: [
      reads('confirmed'),
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
        ...reads('on-hold'),
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
      reads('cancelled', { status: 'CANCELLED', statusGroup: 'cancelled' }),
      reads('redeemed'),
      reads('boats-for-several', {
        pax: 8,
        guests: [
          { id: unitItemId(1), participantType: 'OTHER', unitId: 'seat_double' },
          { id: unitItemId(2), participantType: 'FAMILY', unitId: 'raft_six' },
        ],
      }),
      reads('all-day', { bookedSessions: [{ ...session, startsAt: '2027-07-03T16:00:00Z' }] }, [
        'session_incomplete',
        nameless,
      ]),
      reads('over-midnight', {
        bookedSessions: [{ ...session, startsAt: '2027-07-04T05:30:00Z', endsAt: '2027-07-04T08:00:00Z' }],
      }),
      reads('times-without-an-offset'),
    ],
    notFound: {
      status: 400,
      body: { error: 'INVALID_BOOKING_UUID', errorMessage: 'no such booking', uuid: bookingId },
    },
    keyRefused: { status: 403, body: { error: 'FORBIDDEN', errorMessage: 'the key is wrong' } },
    refusals: [
      {
        name: 'an internal error, sent with status 400',
        answer: { status: 400, body: { error: 'INTERNAL_SERVER_ERROR', errorMessage: 'oops' } },
        code: 'booking_system_error',
      },
      {
        name: 'no key',
        answer: { status: 401, body: { error: 'UNAUTHORIZED', errorMessage: 'no key' } },
        code: 'booking_system_auth_rejected',
      },
    ],
    inbound: [
      {
        name: 'a booking that changed',
        call: {
          headers: {},
          query: {},
          body: { webhook: { id: 'octohook_1', event: 'booking_update' }, booking: fixture('cancelled') },
        },
        bookingIds: [bookingId],
      },
      {
        name: 'a call about nothing that Peek documents',
        call: { headers: {}, query: {}, body: { webhook: { id: 'octohook_1', event: 'product_update' } } },
        bookingIds: [],
      },
    ],
    lists: [
      {
        name: 'bookings of one product, which is asked for once, and one that cannot be read',
        from: '2027-07-03T07:00:00.000Z',
        until: '2027-07-03T12:00:00.000Z',
        pages: [
          {
            exchanges: [
              {
                request: {
                  method: 'GET',
                  path: '/bookings',
                  // From twelve hours before to fourteen after, since the dates are in the products' time zones.
                  query: { localDateStart: '2027-07-02', localDateEnd: '2027-07-04' },
                },
                answer: {
                  body: [
                    fixture('confirmed'),
                    fixture('redeemed', { uuid: 'another' }),
                    { uuid: 'unreadable', productId },
                  ],
                },
              },
              readProduct,
            ],
            bookings: [
              { bookingId, booking: usual },
              { bookingId: 'another', booking: { ...usual, id: 'another' } },
              { bookingId: 'unreadable', isUnreadable: true },
            ],
          },
        ],
      },
    ],
    access: vendor,
    webhooks: { vendor, registered: (url) => [{ event: 'booking_update', url }] },
  },
});
