import { type NativeExchange, runContractSuite } from '@waiver-service/contract-suite';
import type { Booking, WarningCode } from '@waiver-service/core';
import plugin from '../src/index.ts';
import { fixture, itemsOf, orderNumber } from './fixtures.ts';

const session = {
  startsAt: '2027-06-11T22:00:00Z',
  endsAt: '2027-06-12T02:00:00Z',
  activityId: 'PREEF9',
  activityName: 'Reef snorkel',
};
// Every non-empty field is also kept by its label.
const ngaire = {
  id: '1-1',
  name: 'Ngaire Holt',
  email: 'ngaire@example.com',
  'First Name': 'Ngaire',
  'Last Name': 'Holt',
  Email: 'ngaire@example.com',
};
const wiremu = { id: '1-2', name: 'Wiremu Holt', 'First Name': 'Wiremu', 'Last Name': 'Holt' };
const usual: Booking = {
  id: orderNumber,
  status: 'CONFIRMED',
  statusGroup: 'active',
  contact: { name: 'Ngaire Holt', email: 'ngaire@example.com', phoneNumber: '+61255509876' },
  pax: 2,
  guests: [
    { ...ngaire, participantType: 'adult' },
    { ...wiremu, participantType: 'adult' },
  ],
  bookedSessions: [session],
  notes: 'One of us cannot swim',
};
const reads = (name: string, booking: Booking, warnings: readonly WarningCode[] = []) => ({
  name,
  body: fixture(name),
  expected: { booking, warnings },
});

const path = '/bookings/{bookingId}';
const line = '[waiver w1] updated 2027-06-11 [end]';
const read = (changes: object = {}, name = 'two-named-participants'): NativeExchange => ({
  request: { method: 'GET', path },
  answer: { body: fixture(name, changes) },
});
/** Sends back the complete order. */
const write = (changes: object, answer?: NativeExchange['answer']): NativeExchange => {
  const body = fixture('two-named-participants', changes);
  return { request: { method: 'PUT', path, body: body.booking }, answer: answer ?? { body } };
};
/** Sends back the order, and reads it again as sent. */
const writeAndRead = (changes: object): NativeExchange[] => [write(changes), read(changes)];
const guest = { id: 'w1', bookingGuestId: '1-2' };

const listed = (query: Readonly<Record<string, string>>, bookings: readonly unknown[]): NativeExchange => ({
  request: { method: 'GET', path: '/bookings', query },
  answer: { body: { requestStatus: { success: true }, bookings } },
});
const period = { minTourStartTime: '2027-06-11T00:00:00Z', maxTourStartTime: '2027-06-12T00:00:00Z' };
const hundredOrders = Array.from({ length: 100 }, (_, number) => ({ orderNumber: `R-${number}` }));

runContractSuite(plugin, {
  account: { timeZone: 'Australia/Brisbane' },
  isAuthentic: ({ headers }, { account }) => headers.apikey === account.apiKey,
  judged: [
    { name: 'a rejected key', answer: { body: fixture('key-not-accepted') }, meaning: 'bad-key' },
    { name: 'an account that may not', answer: { body: fixture('not-allowed') }, meaning: 'bad-key' },
    { name: 'an unknown order', answer: { body: fixture('no-such-order') }, meaning: 'not-found' },
    {
      name: 'its limit',
      answer: { status: 406, headers: { 'retry-after': '7' }, body: '' },
      meaning: 'throttled',
      retryAfterMs: 7_000,
    },
  ],
  native: {
    bookingId: orderNumber,
    readRequest: { method: 'GET', path },
    bodies: [
      reads('two-named-participants', usual),
      {
        name: 'two-named-participants, of whom none was booked',
        body: fixture('two-named-participants', {
          items: itemsOf('two-named-participants').map((item) => ({
            ...item,
            quantities: [],
            totalQuantity: 0,
            participants: [],
          })),
        }),
        expected: { booking: { ...usual, pax: 0, guests: [] }, warnings: ['nobody_expected'] },
      },
      reads(
        'blank-participants',
        { ...usual, guests: ['1-1', '1-2'].map((id) => ({ id, participantType: 'adult' })) },
        ['guest_without_name'],
      ),
      // Adults and a child: Rezdy does not say which participant is which.
      reads('fewer-participants-than-the-quantity', { ...usual, pax: 3, guests: [ngaire, wiremu] }, [
        'count_disagrees',
      ]),
      reads('cancelled-without-items', {
        ...usual,
        status: 'CANCELLED',
        statusGroup: 'cancelled',
        pax: 0,
        guests: [],
        bookedSessions: [],
      }),
      reads('quantity-as-a-text', usual, ['string_as_number']),
      reads('item-with-only-a-pickup', usual, ['item_skipped']),
      reads('local-times-only', usual),
      reads('two-items-at-two-times', {
        ...usual,
        pax: 4,
        bookedSessions: [
          session,
          {
            startsAt: '2027-06-12T09:00:00Z',
            endsAt: '2027-06-12T10:30:00Z',
            activityId: 'PNIGHT',
            activityName: 'Night walk',
          },
        ],
      }),
    ],
    notFound: { body: fixture('no-such-order') },
    refusals: [
      {
        name: 'an error that is not about the order',
        answer: { body: fixture('another-error') },
        code: 'booking_system_error',
      },
      {
        name: 'its own timeout',
        answer: { body: fixture('timed-out') },
        code: 'booking_system_timeout',
      },
      {
        name: 'a pick-up and nothing else',
        answer: { body: fixture('only-a-pickup') },
        code: 'invalid_booking_response',
      },
    ],
    guestUpdates: [
      {
        name: 'a line is added to the internal notes, and the whole order is sent',
        waiver: guest,
        exchanges: [read(), ...writeAndRead({ internalNotes: `Regular customers\n${line}` })],
        expected: { warnings: [] },
      },
      {
        name: 'a void removes the line',
        waiver: { ...guest, deleted: true },
        exchanges: [
          read({ internalNotes: `Regular customers\n${line}` }),
          ...writeAndRead({ internalNotes: 'Regular customers' }),
        ],
        expected: { warnings: [] },
      },
      {
        name: 'a guest that the booking does not have',
        waiver: { ...guest, bookingGuestId: '7-1' },
        exchanges: [read(), ...writeAndRead({ internalNotes: `Regular customers\n${line}` })],
        expected: { warnings: ['waiver_partly_written'] },
      },
      {
        name: 'an unknown order',
        waiver: guest,
        exchanges: [read({}, 'no-such-order')],
        expected: { code: 'waiver_rejected', retry: 'schedule' },
      },
      {
        name: 'an error with status 200',
        waiver: guest,
        exchanges: [
          read(),
          write({ internalNotes: `Regular customers\n${line}` }, { body: fixture('another-error') }),
        ],
        expected: { code: 'waiver_rejected', retry: 'schedule' },
      },
      {
        name: 'an answer that does not show the order',
        waiver: guest,
        exchanges: [
          read(),
          write(
            { internalNotes: `Regular customers\n${line}` },
            { body: { requestStatus: { success: true } } },
          ),
          read({ internalNotes: `Regular customers\n${line}` }),
        ],
        expected: { warnings: [] },
      },
      {
        name: 'a refused body',
        waiver: guest,
        exchanges: [
          read(),
          write({ internalNotes: `Regular customers\n${line}` }, { status: 422, body: {} }),
        ],
        expected: { code: 'waiver_rejected', retry: 'three-attempts' },
      },
    ],
    inbound: [
      {
        name: 'an order that changed',
        call: { body: fixture('two-named-participants').booking },
        bookingIds: [orderNumber],
      },
    ],
    lists: [
      {
        name: 'two pages, with an order that cannot be read',
        from: '2027-06-11T00:00:00.000Z',
        until: '2027-06-12T00:00:00.000Z',
        limit: 2,
        pages: [
          {
            exchanges: [
              listed({ ...period, limit: '2', offset: '0' }, [
                fixture('two-named-participants').booking,
                { orderNumber: 'R-UNREADABLE' },
              ]),
            ],
            bookings: [
              { bookingId: orderNumber, booking: usual },
              { bookingId: 'R-UNREADABLE', isUnreadable: true },
            ],
          },
          { exchanges: [listed({ ...period, limit: '2', offset: '2' }, [])], bookings: [] },
        ],
      },
    ],
    changes: [
      { now: '2027-06-11T08:00:00.000Z', exchanges: [], bookingIds: [], hasMore: false },
      {
        now: '2027-06-11T08:05:00.000Z',
        exchanges: [
          listed({ updatedSince: '2027-06-11T07:59:00Z', limit: '100', offset: '0' }, hundredOrders),
        ],
        bookingIds: hundredOrders.map((order) => order.orderNumber),
        hasMore: true,
      },
      {
        now: '2027-06-11T08:06:00.000Z',
        exchanges: [listed({ updatedSince: '2027-06-11T07:59:00Z', limit: '100', offset: '100' }, [])],
        bookingIds: [],
        hasMore: true,
      },
      {
        now: '2027-06-11T08:06:00.000Z',
        exchanges: [
          listed({ minDateCreated: '2027-06-11T07:59:00Z', limit: '100', offset: '0' }, [
            { orderNumber: 'R-NEW' },
          ]),
        ],
        bookingIds: ['R-NEW'],
        hasMore: false,
      },
      {
        now: '2027-06-11T08:10:00.000Z',
        exchanges: [listed({ updatedSince: '2027-06-11T08:04:00Z', limit: '100', offset: '0' }, [])],
        bookingIds: [],
        hasMore: true,
      },
    ],
    access: [listed({ limit: '1', offset: '0' }, [])],
  },
});
