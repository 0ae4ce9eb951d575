import type {
  NativeAnswer,
  NativeExchange,
  NativeInbound,
  NativeScenarios,
} from '@waiver-service/contract-suite';
import type { Booking } from '@waiver-service/core';
import { fixture } from './fixture.ts';

/** The code of the booking in `fixtures/`. */
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
/** What `detail.json` is. */
export const detail: Booking = {
  id: bookingId,
  status: 'PAID',
  statusGroup: 'active',
  contact: { name: 'Noor Haddad', email: 'noor@example.com', phoneNumber: '+31 20 555 0142' },
  pax: 5,
  guests: [],
  bookedSessions: [kayak, sunset],
};
// The webhook has no names of items.
const { activityName: _kayakName, ...webhookKayak } = kayak;
const { activityName: _sunsetName, ...webhookSunset } = sunset;

const read = { method: 'GET', path: '/booking/{bookingId}' } as const;
const readNotes = { method: 'GET', path: '/booking/notes' } as const;
const addNote = {
  method: 'POST',
  path: '/booking/{bookingId}/note',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
} as const;
const notes: NativeExchange = { request: readNotes, answer: { body: fixture('notes') } };
const adding = (answer: NativeAnswer): [NativeExchange, NativeExchange] => [
  notes,
  { request: addNote, answer },
];
const added: NativeAnswer = { body: { version: '3.0', request: { status: 'OK' } } };
const told = (name: string, id: string): NativeInbound => ({
  name,
  call: { headers: {}, query: { key: 'pool-key' }, body: fixture(name) },
  bookingIds: [id],
});
const waiver = (day: string) => ({ id: 'w 1', updatedAt: `2027-06-${day}T18:00:00.123Z` });

/** Everything that the contract suite cannot know of Checkfront. */
export const scenarios: NativeScenarios = {
  bookingId,
  readRequest: read,
  bodies: [
    { name: 'detail', body: fixture('detail'), expected: { booking: detail } },
    {
      name: 'detail-day-item: when the day is over is not said',
      body: fixture('detail-day-item'),
      expected: {
        booking: {
          ...detail,
          pax: 1,
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
      name: 'detail-slot-without-length: it is no day, and when it ends is not said either',
      body: fixture('detail-slot-without-length'),
      expected: {
        booking: {
          ...detail,
          pax: 1,
          bookedSessions: [{ startsAt: kayak.startsAt, activityId: 'tasting', activityName: 'Tasting' }],
        },
        warnings: ['session_incomplete'],
      },
    },
    {
      name: 'detail-item-without-time: goods are no session and nobody',
      body: fixture('detail-item-without-time'),
      expected: { booking: detail, warnings: ['item_skipped', 'item_skipped'] },
    },
    {
      name: 'detail-quantity-in-parameters',
      body: fixture('detail-quantity-in-parameters'),
      expected: {
        booking: {
          ...detail,
          pax: 3 + 4 + 1,
          bookedSessions: [kayak, sunset, { ...kayak, activityId: 'guide', activityName: 'Private guide' }],
        },
        warnings: ['count_disagrees'],
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
        warnings: ['contact_incomplete', 'session_incomplete', 'session_incomplete', 'session_incomplete'],
      },
    },
    {
      name: 'webhook: texts where the detail has numbers',
      body: fixture('webhook'),
      expected: {
        booking: {
          ...detail,
          status: 'HOLD',
          statusGroup: 'other',
          bookedSessions: [webhookKayak, webhookSunset],
        },
        warnings: ['session_incomplete', 'session_incomplete'],
      },
    },
    {
      name: 'webhook-one-item-and-empty-elements',
      body: fixture('webhook-one-item-and-empty-elements'),
      expected: {
        booking: {
          ...detail,
          status: 'HOLD',
          statusGroup: 'other',
          contact: { name: 'Noor Haddad' },
          pax: 2,
          bookedSessions: [webhookKayak],
        },
        warnings: ['session_incomplete'],
      },
    },
    {
      name: 'index: asked for by its number, the booking is read by its code',
      bookingId: '5120',
      body: fixture('index'),
      further: [{ request: { ...read, path: `/booking/${bookingId}` }, answer: { body: fixture('detail') } }],
      expected: { booking: detail, warnings: ['id_differs'] },
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
      name: 'the list, where a booking was asked for by its code',
      answer: { body: fixture('index') },
      code: 'invalid_booking_response',
    },
    {
      name: 'an envelope without a booking',
      answer: { body: { ...fixture('detail'), booking: [] } },
      code: 'invalid_booking_response',
    },
    {
      name: 'an account that has moved',
      answer: { status: 301, headers: { location: 'https://lakeside.example' } },
      code: 'booking_system_error',
    },
  ],
  guestUpdates: [
    {
      name: 'a waiver that no note tells of yet',
      waiver: { id: 'w 9' },
      exchanges: adding(added),
      expected: { warnings: [] },
    },
    {
      name: 'what the newest note says is not said again',
      waiver: waiver('10'),
      exchanges: [notes],
      expected: { warnings: [] },
    },
    {
      name: 'what an older note says is said again, if a newer one says otherwise',
      waiver: waiver('09'),
      exchanges: adding(added),
      expected: { warnings: [] },
    },
    {
      name: 'a note of another booking does not count',
      waiver: waiver('11'),
      exchanges: adding(added),
      expected: { warnings: [] },
    },
    {
      name: 'a void adds a note that says so, and warns that the former one stays',
      waiver: { ...waiver('11'), deleted: true },
      exchanges: adding(added),
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'more than 3,000 characters are cut off, with a warning',
      waiver: { ...waiver('11'), story: 'x'.repeat(4000) },
      exchanges: adding(added),
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'an answer without an envelope is a success',
      waiver: waiver('11'),
      exchanges: adding({ status: 204 }),
      expected: { warnings: [] },
    },
    {
      name: 'an envelope that does not say OK',
      waiver: waiver('11'),
      exchanges: adding({ body: { request: { status: 'ERROR' } } }),
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
    {
      name: 'the booking is gone',
      waiver: waiver('11'),
      exchanges: adding({ status: 404, body: {} }),
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
    {
      name: 'the note is refused as it is',
      waiver: waiver('11'),
      exchanges: adding({ status: 400, body: {} }),
      expected: { code: 'waiver_rejected', retry: 'three-tries' },
    },
    {
      name: 'the note is refused for good',
      waiver: waiver('11'),
      exchanges: adding({ status: 410, body: {} }),
      expected: { code: 'waiver_rejected', retry: 'never' },
    },
    {
      name: 'fewer requests are asked for',
      waiver: waiver('11'),
      exchanges: adding({ status: 429, headers: { 'retry-after': '5' }, body: {} }),
      expected: { code: 'booking_system_rate_limited' },
    },
  ],
  inbound: [
    told('webhook', bookingId),
    told('webhook-one-item-and-empty-elements', bookingId),
    told('webhook-without-items', bookingId),
    told('webhook-payment', bookingId),
    // Its number is asked for instead.
    told('webhook-without-code', '5120'),
  ],
};
