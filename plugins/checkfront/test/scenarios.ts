import type {
  NativeInbound,
  NativeScenarios,
  SimulatedGuestUpdate,
  StartVendor,
} from '@waiver-service/contract-suite';
import type { Booking, Waiver, WarningCode } from '@waiver-service/core';
import type { Fault } from '@waiver-service/simulator';
import {
  type CheckfrontBooking,
  type CheckfrontNote,
  checkfrontBooking,
  startCheckfront,
} from '../simulator/index.ts';
import { fixture, xmlFixture } from './fixtures.ts';

/** The code of the booking in all fixtures. */
export const bookingId = 'LKSD-140627';

const kayak = {
  startsAt: '2027-06-14T07:30:00Z',
  endsAt: '2027-06-14T11:00:00Z',
  activityId: 'kayakam',
  activityName: 'Morning kayak',
};
const sunset = {
  startsAt: '2027-06-14T19:30:00Z',
  endsAt: '2027-06-14T21:30:00Z',
  activityId: 'sunset',
  activityName: 'Sunset paddle',
};
/** The booking in `detail.json`. */
export const detail: Booking = {
  id: bookingId,
  status: 'PAID',
  statusGroup: 'active',
  contact: { name: 'Noor Haddad', email: 'noor@example.com', phoneNumber: '+31 20 555 0142' },
  pax: 5,
  guests: [],
  bookedSessions: [kayak, sunset],
  param: { adults: 2, guests: 3 },
};
const { param: _param, ...withoutParam } = detail;
// The webhook has no item names.
const { activityName: _kayakName, ...webhookKayak } = kayak;
const { activityName: _sunsetName, ...webhookSunset } = sunset;

const timesOf = ({ startsAt, endsAt }: typeof kayak) => ({ startsAt, endsAt });

const read = { method: 'GET', path: '/booking/{bookingId}' } as const;
const held = checkfrontBooking({ code: bookingId, number: 5120 });
const heldNotes: readonly CheckfrontNote[] = Object(fixture('notes')).notes;
/** Checkfront with the notes of `notes.json`, and bookings. Its state is the notes. */
const holding =
  (bookings: readonly CheckfrontBooking[], fault?: Fault): StartVendor =>
  async ({ account: { apiKey, apiSecret } }) => {
    const system = await startCheckfront({
      apiKey,
      apiSecret: String(apiSecret),
      bookings,
      notes: heldNotes,
    });
    if (fault) system.faults.next('note', fault);
    return {
      ...system,
      state: () => system.notes.map(({ body, booking_id: booking }) => `${booking}: ${body}`),
    };
  };
const stored = heldNotes.map(({ body, booking_id: booking }) => `${booking}: ${body}`);
const adding = (
  name: string,
  waiver: Partial<Waiver>,
  note: string,
  warnings: readonly WarningCode[] = [],
): SimulatedGuestUpdate => ({
  name,
  waiver,
  vendor: holding([held]),
  after: [...stored, `${bookingId}: ${note}`],
  expected: { warnings },
});
/** Checkfront's answer to a new note, which it does not take. */
const answering = (
  name: string,
  fault: Omit<Fault & { kind: 'status' }, 'kind'>,
  expected: SimulatedGuestUpdate['expected'],
): SimulatedGuestUpdate => ({
  name,
  waiver: { id: 'w 9' },
  vendor: holding([held], { kind: 'status', ...fault }),
  after: stored,
  expected,
});
const startingAt = (code: string, number: number, start: number, end = start): CheckfrontBooking =>
  checkfrontBooking({ code, number, items: [{ sku: 'kayakam', name: 'Kayak', start, end, quantity: 1 }] });
const changed = Array.from({ length: 101 }, (_, nth) =>
  checkfrontBooking({ code: `QRST-${nth}`, number: 6_000 + nth, lastModified: 1_812_960_100 }),
);
const changedCodes = changed.map(({ code }) => code);

const told = (name: string, body: unknown, ...bookingIds: string[]): NativeInbound => ({
  name,
  call: { headers: {}, query: { key: 'pool-key' }, body },
  bookingIds,
});
const waiver = (day: string) => ({ id: 'w 1', updatedAt: `2027-06-${day}T18:00:00.123Z` });

/** An item whose parameter counts no people. */
const ofNobody = {
  sku: 'kayakam',
  name: 'Morning kayak',
  start_date: 1812958200,
  end_date: 1812970800,
  qty: 1,
  param: { adults: { lbl: 'Adults', qty: 0 } },
};

/** Checkfront's API as documented. */
export const scenarios: NativeScenarios = {
  bookingId,
  readRequest: read,
  bodies: [
    { name: 'detail', body: fixture('detail'), expected: { booking: detail } },
    {
      name: 'detail, without people',
      body: {
        ...fixture('detail'),
        booking: { ...Object(fixture('detail').booking), items: { 1: ofNobody } },
      },
      expected: {
        booking: { ...detail, pax: 0, bookedSessions: [kayak], param: { adults: 0 } },
        warnings: ['nobody_expected'],
      },
    },
    {
      name: 'detail-day-item: the end is unknown',
      body: fixture('detail-day-item'),
      expected: {
        booking: {
          ...detail,
          pax: 1,
          param: { adults: 1 },
          bookedSessions: [
            {
              startsAt: '2027-06-14T22:00:00Z',
              activityId: 'canoeday',
              activityName: 'Canoe for a day',
            },
          ],
        },
        warnings: ['session_incomplete'],
      },
    },
    {
      name: 'detail-slot-without-length: not a day, and the end is unknown too',
      body: fixture('detail-slot-without-length'),
      expected: {
        booking: {
          ...detail,
          pax: 1,
          param: { adults: 1 },
          bookedSessions: [{ startsAt: kayak.startsAt, activityId: 'tasting', activityName: 'Tasting' }],
        },
        warnings: ['session_incomplete'],
      },
    },
    {
      name: 'detail-item-without-time: goods are neither a session nor people',
      body: fixture('detail-item-without-time'),
      expected: { booking: detail, warnings: ['item_skipped', 'item_skipped'] },
    },
    {
      name: 'detail-quantity-in-parameters',
      body: fixture('detail-quantity-in-parameters'),
      expected: {
        booking: {
          ...detail,
          pax: 3 + 4 + 1 + 2,
          bookedSessions: [
            kayak,
            sunset,
            { ...kayak, activityId: 'guide', activityName: 'Private guide' },
            { ...kayak, activityId: 'shuttle', activityName: 'Shuttle' },
          ],
          param: { adults: 2, children: 1, guests: 4 },
        },
        // Neither line has a parameter that counts people; one has no qty either.
        warnings: ['count_disagrees', 'count_disagrees'],
      },
    },
    {
      name: 'detail-boat-with-add-ons: a boat for eight is one thing; life jackets are no people',
      body: fixture('detail-boat-with-add-ons'),
      expected: {
        booking: {
          ...detail,
          pax: 7,
          bookedSessions: [
            { ...kayak, activityId: 'boat8', activityName: 'Boat for eight' },
            { ...kayak, activityId: 'lifejacket', activityName: 'Life jacket' },
          ],
          param: { a: 5, child512: 2 },
        },
        // Only the account knows whether "Boats" counts people.
        warnings: ['count_disagrees'],
      },
    },
    {
      name: 'detail-void-line: removed items are skipped',
      body: fixture('detail-void-line'),
      expected: {
        booking: { ...detail, pax: 2, bookedSessions: [kayak], param: { adults: 2 } },
        warnings: ['item_skipped', 'item_skipped'],
      },
    },
    {
      name: 'detail-times-of-the-booking: used for items with people if no item has any; not for a hat, nor for add-ons',
      body: fixture('detail-times-of-the-booking'),
      expected: {
        booking: { ...detail, bookedSessions: [kayak, { ...sunset, ...timesOf(kayak) }] },
        warnings: ['item_skipped', 'item_skipped'],
      },
    },
    {
      name: 'detail-own-fields',
      body: fixture('detail-own-fields'),
      expected: {
        booking: { ...detail, fields: { request: 'A blue one, please.' }, meta: { note: 'Regular' } },
      },
    },
    {
      name: 'detail-cancelled: it keeps its sessions and its pax',
      body: fixture('detail-cancelled'),
      expected: { booking: { ...detail, status: 'STOP', statusGroup: 'cancelled' } },
    },
    {
      name: 'detail-cancelled-without-items: it is still read',
      body: fixture('detail-cancelled-without-items'),
      expected: {
        booking: {
          ...withoutParam,
          status: 'VOID',
          statusGroup: 'cancelled',
          pax: 0,
          bookedSessions: [],
        },
      },
    },
    {
      name: 'detail-own-status-and-nothing-else',
      body: fixture('detail-own-status-and-nothing-else'),
      expected: {
        booking: {
          id: bookingId,
          status: 'DEPOSIT2',
          statusGroup: 'other',
          contact: { name: '' },
          pax: 3,
          guests: [],
          bookedSessions: [kayak, { startsAt: '2027-06-14T19:30:00Z' }],
        },
        warnings: [
          'unknown_status',
          'contact_incomplete',
          'count_disagrees',
          'count_disagrees',
          'session_incomplete',
          'session_incomplete',
          'session_incomplete',
        ],
      },
    },
    {
      name: 'webhook: texts where the detail has numbers',
      body: fixture('webhook'),
      expected: {
        booking: {
          ...withoutParam,
          status: 'HOLD',
          statusGroup: 'other',
          bookedSessions: [webhookKayak, webhookSunset],
        },
        warnings: ['count_disagrees', 'count_disagrees', 'session_incomplete', 'session_incomplete'],
      },
    },
    {
      name: 'webhook-one-item-and-empty-elements',
      body: fixture('webhook-one-item-and-empty-elements'),
      expected: {
        booking: {
          ...withoutParam,
          status: 'HOLD',
          statusGroup: 'other',
          contact: { name: 'Noor Haddad' },
          pax: 2,
          bookedSessions: [webhookKayak],
        },
        warnings: ['count_disagrees', 'session_incomplete'],
      },
    },
    {
      name: 'index: requested by its number, the booking is read by its code',
      bookingId: '5120',
      body: fixture('index'),
      further: [{ request: { ...read, path: `/booking/${bookingId}` }, answer: { body: fixture('detail') } }],
      expected: { booking: detail },
    },
  ],
  notFound: { status: 404, body: { error: { title: 'Not Found' } } },
  refusals: [
    {
      name: 'detail-without-items',
      answer: { body: fixture('detail-without-items') },
      code: 'invalid_booking_response',
    },
    {
      name: 'webhook-without-items',
      answer: { body: fixture('webhook-without-items') },
      code: 'invalid_booking_response',
    },
    {
      name: 'webhook-without-code',
      answer: { body: fixture('webhook-without-code') },
      code: 'invalid_booking_response',
    },
    {
      name: 'the list, in response to a booking’s code',
      answer: { body: fixture('index') },
      code: 'invalid_booking_response',
    },
    {
      name: 'an envelope without a booking',
      answer: { body: { ...fixture('detail'), booking: [] } },
      code: 'invalid_booking_response',
    },
    {
      name: 'a booking of a request that was not carried out',
      answer: { body: { ...fixture('detail'), request: { status: 'ERROR' } } },
      code: 'invalid_booking_response',
    },
    {
      name: 'an account that has moved',
      answer: { status: 301, headers: { location: 'https://lakeside.example' } },
      code: 'booking_system_error',
    },
  ],
  guestUpdates: [
    adding('a waiver without a note yet', { id: 'w 9' }, '[waiver w%209] updated 2027-06-11'),
    {
      name: 'a note equal to the newest one is not added',
      waiver: waiver('10'),
      vendor: holding([held]),
      expected: { warnings: [] },
    },
    adding('a note equal to an older one is added', waiver('09'), '[waiver w%201] updated 2027-06-09'),
    adding('a note of another booking does not count', waiver('11'), '[waiver w%201] updated 2027-06-11'),
    adding(
      'a void adds a note, and warns that the previous one remains',
      { ...waiver('11'), deleted: true },
      '[waiver w%201] voided 2027-06-11',
      ['waiver_partly_written'],
    ),
    {
      name: 'the booking is gone',
      waiver: { id: 'w 9' },
      vendor: holding([]),
      after: stored,
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
    {
      name: 'the booking is gone before its ids are known',
      waiver: waiver('11'),
      vendor: holding([]),
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
    answering(
      'a response without an envelope does not say that the note was taken',
      { status: 200, body: '' },
      { code: 'waiver_rejected', retry: 'schedule' },
    ),
    answering(
      'an envelope that does not say OK',
      { status: 200, body: { request: { status: 'ERROR' } } },
      { code: 'waiver_rejected', retry: 'schedule' },
    ),
    answering(
      'the note is refused as it is',
      { status: 400, body: {} },
      { code: 'waiver_rejected', retry: 'three-attempts' },
    ),
    answering(
      'the note is refused for good',
      { status: 410, body: {} },
      { code: 'waiver_rejected', retry: 'never' },
    ),
    answering(
      'the rate limit',
      { status: 429, retryAfter: 5, body: {} },
      { code: 'booking_system_rate_limited' },
    ),
  ],
  inbound: [
    told('webhook', fixture('webhook'), bookingId),
    told('one item', fixture('webhook-one-item-and-empty-elements'), bookingId),
    told('no items', fixture('webhook-without-items'), bookingId),
    told('a payment', fixture('webhook-payment'), bookingId),
    // Identified by its number instead.
    told('no code', fixture('webhook-without-code'), '5120'),
    told('an item', fixture('webhook-item')),
    told('a form', fixture('webhook-form'), bookingId),
    told('XML', xmlFixture('webhook'), bookingId),
    told('XML without a code', xmlFixture('webhook-without-code'), '5120'),
    told('a payment in XML', xmlFixture('webhook-payment'), bookingId),
    told('a rate in XML', xmlFixture('webhook-rate')),
  ],
  lists: [
    {
      name: 'all that overlap a day',
      from: '2027-06-14T00:00:00.000Z',
      until: '2027-06-15T00:00:00.000Z',
      limit: 2,
      vendor: holding([
        startingAt('A', 1, 1_812_958_200, 1_812_970_800),
        startingAt('ENDED', 2, 1_812_900_000, 1_812_931_199),
        startingAt('AT-MIDNIGHT', 3, 1_812_931_200),
        startingAt('NEXT-MIDNIGHT', 4, 1_813_017_600),
        startingAt('OVERNIGHT', 5, 1_813_017_599, 1_813_030_000),
      ]),
      bookings: ['A', 'AT-MIDNIGHT', 'OVERNIGHT'].map((code) => ({ bookingId: code })),
    },
  ],
  changes: {
    vendor: holding(changed),
    steps: [
      { now: '2027-06-14T08:00:00.000Z', bookingIds: [], hasMore: false },
      { now: '2027-06-14T08:05:00.000Z', bookingIds: changedCodes.slice(0, 100), hasMore: true },
      { now: '2027-06-14T08:06:00.000Z', bookingIds: changedCodes.slice(100), hasMore: false },
      { now: '2027-06-14T08:10:00.000Z', bookingIds: [], hasMore: false },
    ],
  },
  access: holding([]),
};
