import type {
  JudgedAnswer,
  NativeBody,
  NativeExchange,
  NativeScenarios,
  StartVendor,
} from '@waiver-service/contract-suite';
import type { Booking, WarningCode } from '@waiver-service/core';
import { objectsIn } from '@waiver-service/plugin-kit';
import { type BokunBooking, bokunBooking, startBokun } from '../simulator/index.ts';
import { fixture } from './fixtures.ts';

/** The time zone of the account in all tests: two and a half hours behind UTC in June. */
export const timeZone = 'America/St_Johns';

const bookingId = 'ICE-105400200';
const hike = {
  startsAt: '2027-06-12T11:30:00Z',
  endsAt: '2027-06-12T14:00:00Z',
  activityId: '728101',
  activityName: 'Glacier hike',
};
const cave = {
  startsAt: '2027-06-12T16:30:00Z',
  endsAt: '2027-06-12T17:30:00Z',
  activityId: '728102',
  activityName: 'Ice cave',
};
const birna = {
  id: '354000301',
  name: 'Birna Jónsdóttir',
  email: 'birna@example.com',
  phoneNumber: '+354 555 0101',
  dateOfBirth: '1988-04-02',
  nationality: 'IS',
  participantType: 'adult',
  leadPassenger: true,
  age: 39,
  'Shoe size': '39',
  diet: 'Vegetarian',
};
const ari = { id: '354000302', name: 'Ari Birnuson', participantType: 'child' };
const unnamed = (id: string) => ({ id, participantType: 'adult' });
const twoGuests: Booking = {
  id: bookingId,
  status: 'CONFIRMED',
  statusGroup: 'active',
  contact: { name: 'Birna Jónsdóttir', email: 'birna@example.com', phoneNumber: '+354 555 0101' },
  pax: 2,
  guests: [birna, ari],
  bookedSessions: [hike],
  externalBookingReference: 'WEB-77',
};
const body = (name: string, changes: Partial<Booking> = {}, warnings: readonly WarningCode[] = []) => ({
  name,
  body: fixture(name),
  expected: { booking: { ...twoGuests, ...changes }, warnings },
});
const { endsAt: _endsAt, ...openHike } = hike;

/** A search for the vendor's 12 June: from its midnight UTC to its end in the vendor's time zone. */
const search = (
  page: number,
  pageSize: number,
  results: readonly object[],
  totalHits: number,
  [from, to] = ['2027-06-12T00:00:00.000Z', '2027-06-13T02:30:00.000Z'],
): NativeExchange => ({
  request: {
    method: 'POST',
    path: '/booking.json/product-booking-search',
    headers: { 'content-type': 'application/json' },
    body: {
      page,
      pageSize,
      startDateRange: {
        from,
        to,
        includeLower: true,
        includeUpper: true,
      },
    },
  },
  answer: { body: { tookInMillis: 3, totalHits, results } },
});
const found = (confirmationCode: string, status = 'CONFIRMED') => ({ confirmationCode, status });
const day = { from: '2027-06-12T02:30:00.000Z', until: '2027-06-13T02:30:00.000Z' };

const booked = (confirmationCode: string, status: string, activities = 1): BokunBooking => ({
  ...bokunBooking,
  confirmationCode,
  activityBookings: bokunBooking.activityBookings
    .flatMap((activity) => Array.from({ length: activities }, () => activity))
    .map((activity) => ({ ...activity, status })),
});
const holding =
  (...bookings: readonly BokunBooking[]): StartVendor =>
  async ({ account: { apiKey: accessKey, secretKey } }) => {
    const system = await startBokun({ accessKey, secretKey: String(secretKey), bookings });
    return { ...system, state: () => [...system.bookings.values()] };
  };

const ofApp = { 'x-bokun-apikey': 'app-key-1', 'x-bokun-vendor-id': 'VmVuZG9yOjQ=' };

/** A confirmed booking whose only activity admits nobody. */
const ofNobody: NativeBody = {
  name: 'two-named-guests, without people',
  body: {
    ...fixture('two-named-guests'),
    activityBookings: objectsIn(fixture('two-named-guests').activityBookings).map((activity) => ({
      ...activity,
      pricingCategoryBookings: [],
      totalParticipants: 0,
    })),
  },
  expected: { booking: { ...twoGuests, pax: 0, guests: [] }, warnings: ['nobody_expected'] },
};

/** Bókun's API as documented, with our own bodies. */
export const scenarios: NativeScenarios = {
  bookingId,
  readRequest: { method: 'GET', path: '/booking.json/booking/{bookingId}' },
  bodies: [
    body('two-named-guests'),
    ofNobody,
    body('guests-without-names', { guests: [unnamed('354000301'), unnamed('354000302')] }, [
      'guest_without_name',
    ]),
    body(
      'two-activities',
      { pax: 3, guests: [birna, ari, unnamed('354000303')], bookedSessions: [hike, cave] },
      ['guest_without_name'],
    ),
    body('one-activity-cancelled', {}, ['item_skipped']),
    body(
      'every-activity-cancelled',
      {
        status: 'CANCELLED',
        statusGroup: 'cancelled',
        pax: 3,
        guests: [birna, ari, unnamed('354000303')],
        bookedSessions: [hike, cave],
      },
      ['guest_without_name'],
    ),
    body('cancelled', { status: 'CANCELLED', statusGroup: 'cancelled' }),
    body('cancelled-without-activities', {
      status: 'CANCELLED',
      statusGroup: 'cancelled',
      pax: 0,
      guests: [],
      bookedSessions: [],
    }),
    body('timed-out', { status: 'TIMEOUT', statusGroup: 'cancelled' }),
    body('reserved', { status: 'RESERVED', statusGroup: 'other' }),
    body('combo', { bookedSessions: [{ ...hike, activityName: 'Glacier and cave' }, cave] }),
    body('day-without-a-time', { bookedSessions: [{ ...openHike, startsAt: '2027-06-12T02:30:00Z' }] }, [
      'session_incomplete',
      'session_incomplete',
    ]),
    body('pass-beside-an-activity', {}, ['item_skipped']),
    body('transport-beside-an-activity', {}, ['item_skipped']),
    body('hidden-contact-details', { contact: { name: 'Birna Jónsdóttir' } }),
    body('family-of-four', {
      pax: 4,
      guests: [{ id: '354000301', name: 'Birna Jónsdóttir', participantType: 'Family' }],
    }),
    body('more-people-than-entries', { pax: 3 }, ['count_disagrees']),
    body('product-in-another-zone', {}, ['value_ignored']),
    body('without-times-of-its-end', { bookedSessions: [openHike] }, ['session_incomplete']),
    body('end-equals-start', { bookedSessions: [openHike] }, ['session_incomplete']),
    { ...body('two-named-guests'), name: 'by its number', bookingId: '105400200' },
  ],
  notFound: { status: 404, body: fixture('error') },
  refusals: [
    {
      name: 'its limit',
      answer: { status: 429, headers: { 'retry-after': '7' }, body: fixture('error') },
      code: 'booking_system_rate_limited',
    },
    {
      name: 'Bókun’s own fault',
      answer: { status: 500, body: fixture('error') },
      code: 'booking_system_error',
    },
    ...['only-a-pass', 'only-transport', 'unknown-start-time'].map((name) => ({
      name,
      answer: { body: fixture(name) },
      code: 'invalid_booking_response' as const,
    })),
  ],
  lists: [
    {
      name: 'a booking of two activities, and a cart',
      ...day,
      limit: 2,
      vendor: holding(
        booked('A-1', 'CONFIRMED', 2),
        booked('A-2', 'CART'),
        booked('A-3', 'CANCELLED'),
        booked('A-4', 'CONFIRMED'),
      ),
      bookings: ['A-1', 'A-3', 'A-4'].map((code) => ({ bookingId: code })),
    },
    {
      name: 'from a late hour: its day begins at midnight UTC, and is the one before at the vendor’s',
      from: '2027-06-12T01:00:00.000Z',
      until: '2027-06-12T01:30:00.000Z',
      pages: [
        {
          exchanges: [search(1, 50, [], 0, ['2027-06-11T00:00:00.000Z', '2027-06-12T01:30:00.000Z'])],
          bookings: [],
        },
      ],
    },
    {
      name: 'full pages, of which the total says nothing, and one that is not full',
      ...day,
      limit: 2,
      pages: [
        {
          exchanges: [search(1, 2, [found('A-1'), found('A-2')], 2)],
          bookings: [{ bookingId: 'A-1' }, { bookingId: 'A-2' }],
        },
        { exchanges: [search(2, 2, [found('A-3')], 5)], bookings: [{ bookingId: 'A-3' }] },
        { exchanges: [search(3, 2, [], 5)], bookings: [] },
      ],
    },
  ],
  access: [
    {
      request: {
        method: 'POST',
        path: '/booking.json/product-booking-search',
        body: { page: 1, pageSize: 1 },
      },
      answer: { body: { totalHits: 0, results: [] } },
    },
  ],
  inbound: [
    {
      name: 'an app that is uninstalled',
      call: { headers: { ...ofApp, 'x-bokun-topic': 'apps/uninstall' }, body: { timestamp: '2027-06-01' } },
      bookingIds: [],
    },
    ...['bookings/create', 'bookings/update', 'bookings/cancel'].map((topic) => ({
      name: topic,
      call: {
        headers: { ...ofApp, 'x-bokun-topic': topic, 'x-bokun-booking-id': 'Qm9va2luZzoxMDU0MDAyMDA=' },
        body: fixture('webhook-of-an-app'),
      },
      bookingIds: ['105400200'],
    })),
  ],
};

export const judged: readonly [JudgedAnswer, ...JudgedAnswer[]] = [
  {
    name: 'a key without the permission',
    answer: { status: 303, headers: { location: '/login' }, body: '' },
    meaning: 'no-permission',
  },
];
