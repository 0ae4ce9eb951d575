import {
  type NativeCall,
  type NativeRequest,
  type NativeScenarios,
  type SimulatedGuestUpdate,
  type StartVendor,
  webhookUrl,
} from '@waiver-service/contract-suite';
import type { Booking, Waiver, WarningCode } from '@waiver-service/core';
import type { Fault } from '@waiver-service/simulator';
import { expect } from 'vitest';
import {
  type BookeoBooking,
  type BookeoOptions,
  type BookeoPerson,
  bookeoBooking,
  bookeoCustomer,
  startBookeo,
} from '../simulator/index.ts';
import { fixture } from './fixtures.ts';

const bookingId = '1550908071234567';

const adult = (id: string) => ({ id, participantType: 'adult', peopleCategoryId: 'Cadults' });
const child = { id: 'Cchildren-1', participantType: 'child', peopleCategoryId: 'Cchildren' };
const noor = {
  ...adult('Cadults-1'),
  name: 'Noor Haddad',
  email: 'noor@example.com',
  phoneNumber: '+31 20 555 0142',
};
const sam = { ...child, name: 'Sam de Wit', email: 'sam@example.com', dateOfBirth: '2014-08-30' };
const twoPeople: Booking = {
  id: bookingId,
  status: 'accepted',
  statusGroup: 'active',
  contact: { name: 'Noor Haddad', email: 'noor@example.com', phoneNumber: '+31 20 555 0142' },
  pax: 2,
  guests: [noor, sam],
  options: [{ id: 'O1', name: 'Wetsuit', value: 'true' }],
  bookedSessions: [
    {
      startsAt: '2027-06-14T08:00:00Z',
      endsAt: '2027-06-14T10:30:00Z',
      activityId: '4155RAFT',
      activityName: 'Morning rafting',
    },
  ],
};
const withoutEnd = {
  startsAt: '2027-06-14T08:00:00Z',
  activityId: '4155RAFT',
  activityName: 'Morning rafting',
};
const body = (name: string, changes: Partial<Booking> = {}, warnings: readonly WarningCode[] = []) => ({
  name,
  body: fixture(name),
  expected: { booking: { ...twoPeople, ...changes }, warnings },
});

const readRequest: NativeRequest = {
  method: 'GET',
  path: '/bookings/{bookingId}',
  query: { expandCustomer: 'true', expandParticipants: 'true' },
};
const lineIn = (bookingNumber: string) =>
  `[waiver 01980f7e-waiver-1@${bookingNumber}] updated 2027-06-11 [end]`;
const lineWith = (answers: string) => ownLine.replace('[end]', `· ${answers} [end]`);
const { customerId, participants, bookingNumber } = bookeoBooking;
const { person: zoe } = bookeoCustomer;
const [aegir = { id: '' }] = bookeoCustomer.linkedPeople;
const staffWrote = zoe.customFields?.[0]?.value ?? '';
const ownLine = lineIn(bookingNumber);
const oldLine = '[waiver 01980f7e-waiver-1] updated 2027-06-11 [end]';
const formerLine = ownLine.replace('06-11', '06-09');

/** Bookeo with a booking of a customer, a vacant place and a person who is linked to the customer. */
const holding =
  (options: Partial<BookeoOptions> = {}, fault?: Fault): StartVendor =>
  async ({ account: { apiKey }, settings }) => {
    const system = await startBookeo({ apiKey, secretKey: String(settings.secretKey), ...options });
    const { notifications } = system;
    if (fault) system.faults.next('person', fault);
    const state = () => {
      const booking = system.bookings.get(bookingNumber);
      const places = booking?.participants.details ?? [];
      const people = places.map(({ personId }) => system.person(customerId, personId));
      return { booking, customer: system.person(customerId), people, notifications };
    };
    return { ...system, state };
  };
/** What {@link holding} stores. */
const storing = (changes: object = {}) => ({
  booking: bookeoBooking,
  customer: zoe,
  people: [undefined, undefined, aegir],
  notifications: [],
  ...changes,
});
const zoeWith = (value: string): BookeoPerson => ({
  ...zoe,
  customFields: [{ id: 'F1', name: 'Waiver', value }],
});
const aegirWith = (value: string): BookeoPerson => ({
  ...aegir,
  customFields: [...(aegir.customFields ?? []), { name: 'Waiver', value }],
});
const customers = (person: BookeoPerson, linked: BookeoPerson = aegir) => ({
  customers: [{ person, linkedPeople: [linked] }],
});
const inPlaces = (...personIds: readonly string[]): BookeoBooking => ({
  ...bookeoBooking,
  participants: {
    ...participants,
    details: participants.details.map((place, nth) => ({ ...place, personId: personIds[nth] ?? '' })),
  },
});

const writing = (
  name: string,
  waiver: Partial<Waiver>,
  before: Partial<BookeoOptions>,
  after: object,
  expected: SimulatedGuestUpdate['expected'] = { warnings: [] },
): SimulatedGuestUpdate => ({
  name,
  waiver: { bookingId: bookingNumber, bookingGuestId: 'Cadults-1', ...waiver },
  vendor: holding(before),
  after: storing(after),
  expected,
});
/** Only reads, after which everything is as it was. */
function unchanged(...scenario: Parameters<typeof writing>): SimulatedGuestUpdate {
  const { after: _same, ...reading } = writing(...scenario);
  return reading;
}
/** Shows, as a participant, the customer of whom the customer record has more. */
const asParticipant = (booking: object) => {
  const { details } = inPlaces('PSELF', 'PUNKNOWN', aegir.id).participants;
  const { id, firstName, lastName } = zoe;
  return {
    ...booking,
    participants: {
      ...participants,
      details: details.map((place, nth) =>
        nth === 0 ? { ...place, personDetails: { id, firstName, lastName } } : place,
      ),
    },
  };
};
/** What a booking shows after the change. */
const showing =
  (change: (booking: object) => unknown): NonNullable<BookeoOptions['shows']> =>
  (booking, nth) =>
    nth === 0 ? booking : change(booking);
const withLineEnds = (booking: object) =>
  JSON.parse(JSON.stringify(booking).replaceAll('[end]"', '[end]\\n"').replaceAll('\\n', '\\r\\n'));
const written = { customer: zoeWith(`${staffWrote}\n${ownLine}`) };
const notKept = { keepsCustomFields: false };
const deleted = { deleted: true };

const stored = (name: string, changes: object = {}): BookeoBooking => ({
  ...Object(fixture(name)),
  ...changes,
});
const changedOn = (number: string, lastChangeTime: string): BookeoBooking => ({
  ...bookeoBooking,
  bookingNumber: number,
  lastChangeTime,
});
const changed = Array.from({ length: 101 }, (_, nth) => changedOn(`B-${nth}`, '2027-05-02T08:00:00Z'));
const changedIds = changed.map((booking) => booking.bookingNumber);

const message = (id: string, body: object, headers: Readonly<Record<string, string>> = {}): NativeCall => ({
  headers: { 'x-bookeo-messageid': id, ...headers },
  body: { timestamp: '2027-06-02T09:00:00Z', ...body },
});

/** Bookeo's API v2 as documented, with our own bodies. */
export const scenarios: NativeScenarios = {
  bookingId,
  readRequest,
  bodies: [
    body('two-people'),
    {
      name: 'two-people, without either',
      body: { ...fixture('two-people'), participants: { numbers: [], details: [] } },
      expected: { booking: { ...twoPeople, pax: 0, guests: [] }, warnings: ['nobody_expected'] },
    },
    body('unknown-people', { guests: [adult('Cadults-1'), adult('Cadults-2')] }, ['guest_without_name']),
    body('unreadable-person', { guests: [noor, child] }, ['guest_without_name']),
    body('numbers-without-details', { pax: 13, guests: [] }, ['string_as_number']),
    body('fewer-details-than-numbers', { pax: 4 }, ['count_disagrees']),
    body('trailing-spaces'),
    body('canceled', { status: 'canceled', statusGroup: 'cancelled' }),
    body('not-accepted', { status: 'not-accepted', statusGroup: 'other' }),
    body('neither-boolean'),
    body('empty-contact', { contact: { name: '' }, guests: [adult('Cadults-1'), sam] }, [
      'contact_incomplete',
      'guest_without_name',
    ]),
    body('number-for-a-booking-number'),
    body('no-end-and-no-product', { bookedSessions: [{ startsAt: '2027-06-14T08:00:00Z' }] }, [
      'session_incomplete',
      'session_incomplete',
      'session_incomplete',
    ]),
    { ...body('two-people', {}, ['id_differs']), name: 'another booking', bookingId: '77' },
    {
      ...body('two-people', { bookedSessions: [withoutEnd] }, ['session_incomplete']),
      name: 'an end that equals the start, in another time zone, is none',
      body: { ...fixture('two-people'), endTime: '2027-06-14T08:00:00Z' },
    },
  ],
  notFound: { status: 404, body: { httpStatus: 404, message: 'Booking not found', errorId: 'E1' } },
  refusals: [
    ...['customer-not-shown', 'no-start', 'start-without-zone'].map((name) => ({
      name,
      answer: { body: fixture(name) },
      code: 'invalid_booking_response' as const,
    })),
  ],
  guestUpdates: [
    writing(
      'a line is added below what staff wrote',
      {},
      {},
      { customer: zoeWith(`${staffWrote}\n${ownLine}`) },
    ),
    writing(
      'a person who is linked to the customer keeps all else',
      { bookingGuestId: 'Cchildren-1' },
      {},
      { people: [undefined, undefined, aegirWith(ownLine)] },
    ),
    writing(
      'one person in two places has one line',
      {},
      { bookings: [inPlaces(aegir.id, 'PUNKNOWN', aegir.id)] },
      {
        booking: inPlaces(aegir.id, 'PUNKNOWN', aegir.id),
        people: [aegirWith(ownLine), undefined, aegirWith(ownLine)],
      },
    ),
    writing(
      'if another person takes the place, the line moves to them',
      {},
      {
        ...customers(zoeWith(`${staffWrote}\n${ownLine}`)),
        bookings: [inPlaces(aegir.id, 'PUNKNOWN', 'PSELF')],
      },
      {
        booking: inPlaces(aegir.id, 'PUNKNOWN', 'PSELF'),
        customer: zoeWith(staffWrote),
        people: [aegirWith(ownLine), undefined, undefined],
      },
    ),
    writing('a void removes the line', deleted, customers(zoeWith(`${staffWrote}\n${ownLine}`)), {}),
    unchanged('a line that is there is not written again', {}, customers(written.customer), {}),
    unchanged(
      'an old line, which may be of another booking',
      deleted,
      customers(zoeWith(oldLine)),
      {},
      {
        notWritten: /may be of another one/,
      },
    ),
    ...[false, true].map((isVoid) =>
      unchanged(
        `a waiver field that is no text is not overwritten, void: ${isVoid}`,
        { deleted: isVoid },
        {
          shows: (booking) => ({
            ...booking,
            customer: { ...zoe, customFields: [{ name: 'Waiver', value: 7 }] },
          }),
        },
        {},
        { code: 'waiver_rejected', retry: 'schedule' },
      ),
    ),
    writing(
      'other fields that Bookeo loses with the line are a warning',
      {},
      { shows: showing((booking) => ({ ...booking, customer: { ...written.customer, emailAddress: '' } })) },
      written,
      { warnings: ['waiver_partly_written'] },
    ),
    unchanged('a void of a waiver that was never written changes nothing', deleted, {}, {}),
    unchanged('a void of a waiver whose place is gone', { ...deleted, bookingGuestId: 'Cadults-9' }, {}, {}),
    ...['Cadults-9', undefined].map((place) =>
      unchanged(
        `for the place ${place} nothing is written`,
        { bookingGuestId: place },
        {},
        {},
        {
          notWritten: /no place/,
        },
      ),
    ),
    writing(
      'an empty place gets a new person, and no one is notified',
      { bookingGuestId: 'Cadults-2', name: 'Ana María Soto' },
      {},
      {
        booking: inPlaces('PSELF', expect.stringMatching(/^4155700C/), aegir.id),
        people: [
          undefined,
          {
            id: expect.any(String),
            customerId,
            firstName: 'Ana María',
            lastName: 'Soto',
            customFields: [{ id: 'F1', name: 'Waiver', value: lineWith('name: Ana María Soto') }],
          },
          aegir,
        ],
      },
    ),
    writing(
      'a field that Bookeo takes and does not keep',
      {},
      notKept,
      {},
      {
        notWritten: /does not show the waiver in the custom field "Waiver"/,
      },
    ),
    writing(
      'the former line is still there after an update',
      {},
      { ...notKept, ...customers(zoeWith(lineWith('diet: vegan'))) },
      { customer: zoeWith(lineWith('diet: vegan')) },
      { notWritten: /does not show the waiver/ },
    ),
    writing(
      'the line is still there after a void',
      deleted,
      { ...notKept, ...customers(zoeWith(ownLine)) },
      { customer: zoeWith(ownLine) },
      { notWritten: /left the waiver’s line/ },
    ),
    writing(
      'the place is gone, and Bookeo leaves the line with who held it',
      { bookingGuestId: 'Cguides-1' },
      { ...notKept, ...customers(zoeWith(ownLine)) },
      { customer: zoeWith(ownLine) },
      { notWritten: /no place "Cguides-1" in the booking$/ },
    ),
    writing(
      'a line that stays with who held the place before is a warning',
      {},
      { ...notKept, ...customers(zoeWith(ownLine), aegirWith(formerLine)) },
      { customer: zoeWith(ownLine), people: [undefined, undefined, aegirWith(formerLine)] },
      { warnings: ['waiver_partly_written'] },
    ),
    ...[false, true].map((isVoid) =>
      unchanged(
        `a person whom our key may not see is not changed, void: ${isVoid}`,
        { bookingGuestId: 'Cchildren-1', deleted: isVoid },
        { showsLinkedPeople: false },
        {},
        { notWritten: /read and change customers and linked people/ },
      ),
    ),
    unchanged(
      'the booking is gone',
      { bookingId: '77' },
      {},
      {},
      {
        code: 'waiver_rejected',
        retry: 'schedule',
      },
    ),
    writing(
      'Bookeo stores other line ends',
      { diet: '' },
      { shows: showing(withLineEnds) },
      { customer: zoeWith(`${staffWrote}\n${lineWith('diet:')}`) },
    ),
    writing(
      'the person is not shown any more after the change',
      {},
      { shows: showing((booking) => ({ ...booking, customer: undefined })) },
      written,
      { notWritten: /does not show the waiver/ },
    ),
    writing('the answer to the second read is no booking', {}, { shows: showing(() => ({})) }, written, {
      code: 'invalid_booking_response',
    }),
    writing(
      'a customer who takes part keeps what only a customer has',
      {},
      { shows: asParticipant },
      written,
    ),
    ...[false, true].map((isVoid) =>
      unchanged(
        `a customer of whom only the participant’s details are shown is not changed, void: ${isVoid}`,
        { deleted: isVoid },
        { shows: (booking) => ({ ...asParticipant(booking), customer: undefined, customerId: undefined }) },
        {},
        { notWritten: /read and change customers and linked people/ },
      ),
    ),
    ...[{}, { bookingNumber }, { httpStatus: 500, message: 'later' }].map((answer) =>
      unchanged(
        `a void is not accepted where the answer is no booking: ${JSON.stringify(answer)}`,
        deleted,
        { shows: () => answer },
        {},
        { code: 'invalid_booking_response' },
      ),
    ),
    {
      ...writing(
        'an unintended change is a warning',
        { bookingGuestId: 'Cadults-2' },
        { shows: showing((booking) => ({ ...booking, price: { totalGross: { amount: '190' } } })) },
        {},
        { warnings: ['waiver_partly_written'] },
      ),
      after: expect.anything(),
    },
    ...([400, 404, 410, 422] as const).map((status) => ({
      ...writing(
        `the change is refused with ${status}`,
        {},
        {},
        {},
        {
          code: 'waiver_rejected',
          retry: status === 410 ? 'never' : status === 404 ? 'schedule' : 'three-attempts',
        },
      ),
      vendor: holding({}, { kind: 'status', status, body: { httpStatus: status, message: 'no' } }),
    })),
  ],
  inbound: [
    {
      name: 'a changed booking',
      call: { ...message('m-1', fixture('inbound')), query: { key: 'k' } },
      bookingIds: [bookingId],
      messageId: 'm-1',
    },
    {
      name: 'a changed booking, after messages that were lost',
      call: message('m-2', fixture('inbound'), { 'x-bookeo-previousmessagelost': 'true' }),
      bookingIds: [bookingId],
      messageId: 'm-2',
      missedCalls: true,
    },
    {
      name: 'a booking without its content',
      call: message('m-3', { itemId: 77, item: null }),
      bookingIds: ['77'],
      messageId: 'm-3',
    },
    {
      name: 'a customer is no booking',
      call: message('m-4', { itemId: '4155500C1', item: { id: '4155500C1', firstName: 'Noor' } }),
      bookingIds: [],
      messageId: 'm-4',
    },
    {
      name: 'a payment is no booking',
      call: message('m-5', { itemId: '900712', item: { id: '900712', reason: 'Deposit' } }),
      bookingIds: [],
      messageId: 'm-5',
    },
  ],
  lists: [
    {
      name: 'all of a period, also the canceled ones, with a booking that cannot be read',
      from: '2027-06-14T00:00:00.000Z',
      until: '2027-06-15T00:00:00.000Z',
      limit: 2,
      vendor: holding({
        bookings: [
          stored('two-people'),
          stored('customer-not-shown', { bookingNumber: '2' }),
          stored('canceled', { bookingNumber: '3' }),
          bookeoBooking,
        ],
      }),
      bookings: [
        { bookingId, booking: twoPeople },
        { bookingId: '2', isUnreadable: true },
        { bookingId: '3', booking: { ...twoPeople, id: '3', status: 'canceled', statusGroup: 'cancelled' } },
      ],
    },
  ],
  changes: {
    vendor: holding({ bookings: [...changed, changedOn('B-late', '2027-06-10T08:00:00Z')] }),
    steps: [
      { now: '2027-05-01T08:00:00.000Z', bookingIds: [], hasMore: false },
      // Bookeo answers for 31 days at most.
      { now: '2027-06-14T08:00:00.000Z', bookingIds: changedIds.slice(0, 100), hasMore: true },
      { now: '2027-06-14T08:00:00.000Z', bookingIds: changedIds.slice(100), hasMore: true },
      { now: '2027-06-14T08:00:00.000Z', bookingIds: ['B-late'], hasMore: false },
      { now: '2027-06-14T09:00:00.000Z', bookingIds: [], hasMore: false },
    ],
  },
  access: holding(),
  webhooks: {
    async vendor({ account: { apiKey }, settings }) {
      const system = await startBookeo({ apiKey, secretKey: String(settings.secretKey) });
      const { all } = system.webhooks;
      all.push({ id: 'p', url: webhookUrl, domain: 'payments', type: 'created' });
      return { ...system, state: () => all.map(({ id: _id, ...hook }) => hook) };
    },
    registered: (url) => ['created', 'updated', 'deleted'].map((type) => ({ url, domain: 'bookings', type })),
  },
};
