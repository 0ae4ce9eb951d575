import {
  runContractSuite,
  type SimulatedGuestUpdate,
  type StartVendor,
  webhookUrl,
} from '@waiver-service/contract-suite';
import type { Booking, Waiver, WarningCode } from '@waiver-service/core';
import type { Fault } from '@waiver-service/simulator';
import { expect } from 'vitest';
import { startOcto } from '../simulator/index.ts';
import plugin from '../src/index.ts';
import { bookingId, fixture, unitItemId } from './fixtures.ts';

const session = {
  startsAt: '2027-06-12T08:00:00Z',
  endsAt: '2027-06-12T11:30:00Z',
  activityId: 'kayak-tour',
  activityName: 'Kayak tour',
};
const adult = { participantType: 'adult', unitId: 'adult' };
const usual: Booking = {
  id: bookingId,
  status: 'CONFIRMED',
  statusGroup: 'active',
  contact: { name: 'Morag Sinclair', email: 'morag@example.com', phoneNumber: '+44 131 496 0101' },
  pax: 2,
  guests: [
    { id: unitItemId(1), ...adult },
    { id: unitItemId(2), ...adult },
  ],
  bookedSessions: [session],
  notes: 'Arrives by bus',
  supplierReference: 'KAY-8812',
};
const nameless: WarningCode = 'guest_without_name';
const reads = (name: string, booking: Booking, warnings: readonly WarningCode[]) => ({
  name,
  body: fixture(name),
  expected: { booking, warnings },
});

type Json = Readonly<Record<string, unknown>>;

/** A system that has some of the fixtures; the fault is its answer to a change. */
const holding =
  (bookings: readonly Json[], fault?: Fault): StartVendor =>
  async ({ account: { apiKey } }) => {
    const products = [{ id: 'kayak-tour', internalName: 'Kayak tour' }];
    const system = await startOcto({ apiKey, env: 'test', products, bookings: Object(bookings) });
    if (fault) system.faults.next('write', fault);
    return { ...system, state: () => system.bookings.get(bookingId) };
  };
const writing = (
  name: string,
  waiver: Partial<Waiver>,
  [before, after]: readonly [before: Json, after: object],
  warnings: readonly WarningCode[] = [],
): SimulatedGuestUpdate => ({
  name,
  waiver: { ...guest, ...waiver },
  vendor: holding([before]),
  after: { ...before, ...after },
  expected: { warnings },
});
/** What the system answers to a change, which it does not make. */
const answering = (
  name: string,
  status: number,
  body: object,
  expected: SimulatedGuestUpdate['expected'],
): SimulatedGuestUpdate => ({
  name,
  waiver: guest,
  vendor: holding([fixture('two-adults-with-names')], { kind: 'status', status, body }),
  after: fixture('two-adults-with-names'),
  expected,
});
const webhookAt = (url: string) => ({ event: 'booking_update', url });

const path = '/bookings/{bookingId}';
const line = '[waiver w1] updated 2027-06-11 [end]';
const lineWith = (answers: string) => line.replace('[end]', `· ${answers} [end]`);
const held: readonly Json[] = Object(fixture('two-adults-with-names')).unitItems;
const email = { emailAddress: 'rory@example.com' };
const emailLine = lineWith('email: rory@example.com');
const guest = { id: 'w1', bookingGuestId: unitItemId(2) };

const { product: _product, ...withoutProduct } = Object(fixture('unit-item-on-hold-in-a-confirmed-booking'));

runContractSuite(plugin, {
  settings: { capabilities: ['octo/pricing'], env: 'test', webhooks: true },
  account: { changesUnitItems: true },
  isAuthentic: ({ headers }, { account }) => headers.authorization === `Bearer ${account.apiKey}`,
  judged: [
    { name: 'no key', answer: { status: 400, body: { error: 'UNAUTHORIZED' } }, meaning: 'bad-key' },
    {
      name: 'a key without rights',
      answer: { status: 400, body: { error: 'FORBIDDEN' } },
      meaning: 'bad-key',
    },
    {
      name: 'no such booking',
      answer: { status: 400, body: { error: 'INVALID_BOOKING_UUID', errorMessage: 'no' } },
      meaning: 'not-found',
    },
  ],
  native: {
    bookingId,
    readRequest: {
      method: 'GET',
      path,
      headers: { 'octo-capabilities': 'octo/pricing, octo/webhooks', 'octo-env': 'test' },
    },
    bodies: [
      reads(
        'two-adults-with-names',
        {
          ...usual,
          guests: [
            { id: unitItemId(1), name: 'Ailsa Sinclair', email: 'ailsa@example.com', ...adult },
            { id: unitItemId(2), name: 'Rory Munro', phoneNumber: '+44 131 496 0102', ...adult },
          ],
        },
        [],
      ),
      reads(
        'every-contact-is-the-bookers',
        {
          ...usual,
          pax: 3,
          guests: [
            ...usual.guests,
            {
              id: unitItemId(3),
              name: 'Eilidh Sinclair',
              country: 'GB',
              locales: ['en'],
              email: 'morag@example.com',
              phoneNumber: '+44 131 496 0101',
              ...adult,
            },
          ],
        },
        [nameless],
      ),
      reads(
        'three-unit-items-with-one-uuid',
        {
          ...usual,
          pax: 3,
          guests: [unitItemId(1), `${unitItemId(1)}:2`, `${unitItemId(1)}:3`].map((id) => ({
            id,
            ...adult,
          })),
        },
        ['value_ignored', 'value_ignored', nameless],
      ),
      reads('unit-item-on-hold-in-a-confirmed-booking', usual, [nameless]),
      reads('cancelled-unit-item', { ...usual, pax: 1, guests: usual.guests.slice(0, 1) }, [nameless]),
      reads(
        'family-of-four',
        {
          ...usual,
          pax: 5,
          guests: [
            { id: unitItemId(1), participantType: 'FAMILY', unitId: 'family' },
            { id: unitItemId(2), ...adult },
          ],
        },
        [nameless],
      ),
      reads(
        'empty-texts',
        (({ notes: _empty, ...others }) => ({
          ...others,
          contact: { name: 'Morag Sinclair' },
          pax: 1,
          guests: usual.guests.slice(0, 1),
        }))(usual),
        [nameless],
      ),
      reads(
        'all-day',
        {
          ...usual,
          bookedSessions: [{ ...session, startsAt: '2027-06-11T23:00:00Z', endsAt: '2027-06-12T23:00:00Z' }],
        },
        ['session_incomplete', nameless],
      ),
      reads(
        'start-time-from-midnight-to-midnight',
        {
          ...usual,
          bookedSessions: [{ ...session, startsAt: '2027-06-11T23:00:00Z', endsAt: '2027-06-12T23:00:00Z' }],
        },
        ['session_incomplete', nameless],
      ),
      reads(
        'opening-hours',
        {
          ...usual,
          bookedSessions: [{ ...session, startsAt: '2027-06-12T09:00:00Z', endsAt: '2027-06-12T17:00:00Z' }],
        },
        ['session_incomplete', nameless],
      ),
      reads('times-without-an-offset', usual, [nameless]),
      reads(
        'on-hold-without-a-contact',
        (({ notes: _none, ...others }) => ({
          ...others,
          status: 'ON_HOLD',
          statusGroup: 'other' as const,
          contact: { name: '' },
          pax: 1,
          guests: usual.guests.slice(0, 1),
        }))(usual),
        ['contact_incomplete', nameless],
      ),
      reads(
        'waivers-per-unit',
        {
          ...usual,
          guests: usual.guests.map((one, index) => ({ ...one, waiversComplete: index === 0 })),
          waiversComplete: false,
        },
        [nameless],
      ),
    ],
    notFound: {
      status: 400,
      body: { error: 'INVALID_BOOKING_UUID', errorMessage: 'The UUID is not known', uuid: bookingId },
    },
    refusals: [
      {
        name: 'an open-dated booking',
        answer: { body: fixture('open-dated') },
        code: 'invalid_booking_response',
      },
      {
        name: 'an internal error',
        answer: { status: 400, body: { error: 'INTERNAL_SERVER_ERROR', errorMessage: 'oops' } },
        code: 'booking_system_error',
      },
      {
        name: 'another code',
        answer: { status: 400, body: { error: 'UNPROCESSABLE_ENTITY', errorMessage: 'no' } },
        code: 'booking_system_error',
      },
    ],
    guestUpdates: [
      writing('a line is added to what staff wrote, and nothing else changes', {}, [
        fixture('cancelled-unit-item'),
        { notes: `Arrives by bus\n${line}` },
      ]),
      writing('a void removes the line', { deleted: true }, [
        fixture('two-adults-with-names', { notes: `${line}\nArrives by bus` }),
        { notes: 'Arrives by bus' },
      ]),
      writing(
        'a guest that the booking does not have',
        { bookingGuestId: 'somebody' },
        [fixture('two-adults-with-names'), { notes: `Arrives by bus\n${line}` }],
        ['waiver_partly_written'],
      ),
      {
        name: 'a booking that cannot be changed any more, and already has everything',
        waiver: guest,
        vendor: holding([fixture('not-cancellable', { notes: line })]),
        expected: { warnings: [] },
      },
      // The system reissues each ticket that is sent, as octotravel/octomock does.
      writing(
        'a contact: all unit items are sent completely',
        { email: 'rory@example.com' },
        [
          fixture('two-adults-with-names', { notes: emailLine }),
          {
            unitItems: held.map((item, place) => ({
              ...item,
              supplierReference: expect.any(String),
              contact: { ...Object(item.contact), ...(place === 1 ? email : {}) },
            })),
          },
        ],
        ['waiver_partly_written'],
      ),
      writing(
        'a unit item that could be lost: only the note is written',
        { bookingGuestId: unitItemId(1), email: 'rory@example.com' },
        [
          fixture('two-adults-with-names', { unitItems: [held[0], { unitId: 'adult' }] }),
          { notes: `Arrives by bus\n${emailLine}` },
        ],
        ['waiver_partly_written'],
      ),
      {
        name: 'an unknown booking',
        waiver: guest,
        vendor: holding([]),
        expected: { code: 'waiver_rejected', retry: 'schedule' },
      },
      answering(
        'a response that does not show the booking: it is read again',
        200,
        {},
        {
          notWritten: /kept nothing of it/,
        },
      ),
      answering(
        'an internal error, sent with status 400',
        400,
        { error: 'INTERNAL_SERVER_ERROR', errorMessage: 'oops' },
        { code: 'booking_system_error' },
      ),
      answering(
        'a change that is refused',
        400,
        { error: 'UNPROCESSABLE_ENTITY', errorMessage: 'no' },
        { code: 'waiver_rejected', retry: 'three-attempts' },
      ),
    ],
    inbound: [
      {
        name: 'a booking that changed',
        call: {
          headers: {},
          query: {},
          body: { webhook: { id: 'wh', event: 'booking_update' }, booking: fixture('open-dated') },
        },
        bookingIds: [bookingId],
      },
      {
        name: 'an availability that changed',
        call: {
          headers: {},
          query: {},
          body: { webhook: { id: 'wh', event: 'availability_update' }, availability: {} },
        },
        bookingIds: [],
      },
    ],
    lists: [
      {
        name: 'bookings of one product, and one that cannot be read',
        from: '2027-06-12T00:00:00.000Z',
        until: '2027-06-13T00:00:00.000Z',
        vendor: holding([
          withoutProduct,
          { ...withoutProduct, uuid: 'another' },
          { uuid: 'unreadable', productId: 'kayak-tour', availability: withoutProduct.availability },
          // A day too late, in any time zone.
          { ...withoutProduct, uuid: 'late', availability: { localDateTimeStart: '2027-06-14T09:00:00' } },
        ]),
        bookings: [
          { bookingId, booking: usual },
          { bookingId: 'another', booking: { ...usual, id: 'another' } },
          { bookingId: 'unreadable', isUnreadable: true },
        ],
      },
    ],
    access: holding([]),
    webhooks: {
      async vendor({ account: { apiKey } }) {
        const system = await startOcto({ apiKey });
        const others = [
          webhookAt('https://other.example/'),
          { event: 'availability_update', url: webhookUrl },
        ];
        system.webhooks.push(...others.map((hook, nth) => ({ id: `other-${nth}`, ...hook })));
        return { ...system, state: () => system.webhooks.map(({ id: _id, ...hook }) => hook) };
      },
      registered: (url) => [webhookAt(url)],
    },
  },
});
