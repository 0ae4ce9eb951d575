import {
  runContractSuite,
  type SimulatedGuestUpdate,
  type StartVendor,
} from '@waiver-service/contract-suite';
import type { Booking, Waiver, WarningCode } from '@waiver-service/core';
import type { Fault } from '@waiver-service/simulator';
import { type RezdyBooking, startRezdy } from '../simulator/index.ts';
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
const guest = { id: 'w1', bookingGuestId: '1-2' };

const order = (changes: object = {}): RezdyBooking =>
  Object(fixture('two-named-participants', changes)).booking;
/**
 * Rezdy with some orders; unlike its list of what can be changed, it changes internal notes. The fault is its answer to a
 * change.
 */
const holding =
  (bookings: readonly RezdyBooking[], fault?: Fault): StartVendor =>
  async ({ account: { apiKey } }) => {
    const system = await startRezdy({ apiKey, bookings, alsoChangeable: ['internalNotes'] });
    if (fault) system.faults.next('write', fault);
    return { ...system, state: () => system.bookings.get(orderNumber) };
  };
const writing = (
  name: string,
  waiver: Partial<Waiver>,
  [before, after]: readonly [before: string, after: string],
  warnings: readonly WarningCode[] = [],
): SimulatedGuestUpdate => ({
  name,
  waiver: { ...guest, ...waiver },
  vendor: holding([order({ internalNotes: before })]),
  after: order({ internalNotes: after }),
  expected: { warnings },
});

/** What Rezdy answers to a change, which it does not make. */
const answering = (
  name: string,
  answer: { readonly status: number; readonly body: unknown },
  expected: SimulatedGuestUpdate['expected'],
): SimulatedGuestUpdate => ({
  name,
  waiver: guest,
  vendor: holding([order()], { kind: 'status', ...answer }),
  after: order(),
  expected,
});

const changedAt = (number: string, dateUpdated: string | undefined, dateCreated = '2027-06-01T08:00:00Z') =>
  order({ orderNumber: number, dateUpdated, dateCreated });
const hundred = Array.from({ length: 100 }, (_, nth) => changedAt(`R-${nth}`, '2027-06-11T08:02:00Z'));
const hundredNumbers = hundred.map((one) => one.orderNumber);

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
      writing('a line is added to the internal notes, and nothing is lost', {}, [
        'Regular customers',
        `Regular customers\n${line}`,
      ]),
      writing('a void removes the line', { deleted: true }, [
        `Regular customers\n${line}`,
        'Regular customers',
      ]),
      writing(
        'a guest that the booking does not have',
        { bookingGuestId: '7-1' },
        ['Regular customers', `Regular customers\n${line}`],
        ['waiver_partly_written'],
      ),
      {
        name: 'an unknown order',
        waiver: guest,
        vendor: holding([]),
        expected: { code: 'waiver_rejected', retry: 'schedule' },
      },
      answering(
        'an error with status 200',
        { status: 200, body: fixture('another-error') },
        {
          code: 'waiver_rejected',
          retry: 'schedule',
        },
      ),
      answering(
        'an answer that does not show the order',
        { status: 200, body: { requestStatus: { success: true } } },
        { notWritten: /kept nothing of it/ },
      ),
      answering(
        'a refused body',
        { status: 422, body: {} },
        {
          code: 'waiver_rejected',
          retry: 'three-attempts',
        },
      ),
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
        vendor: holding([
          order(),
          order({ orderNumber: 'R-UNREADABLE', customer: undefined, status: undefined }),
          order({ orderNumber: 'R-LAST' }),
        ]),
        bookings: [
          { bookingId: orderNumber, booking: usual },
          { bookingId: 'R-UNREADABLE', isUnreadable: true },
          { bookingId: 'R-LAST', booking: { ...usual, id: 'R-LAST' } },
        ],
      },
    ],
    changes: {
      vendor: holding([...hundred, changedAt('R-NEW', undefined, '2027-06-11T08:03:00Z')]),
      steps: [
        { now: '2027-06-11T08:00:00.000Z', bookingIds: [], hasMore: false },
        { now: '2027-06-11T08:05:00.000Z', bookingIds: hundredNumbers, hasMore: true },
        { now: '2027-06-11T08:06:00.000Z', bookingIds: [], hasMore: true },
        // Orders that were never updated are found by when they were created.
        { now: '2027-06-11T08:06:00.000Z', bookingIds: ['R-NEW'], hasMore: false },
        { now: '2027-06-11T08:10:00.000Z', bookingIds: [], hasMore: true },
      ],
    },
    access: holding([]),
  },
});
