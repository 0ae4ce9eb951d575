import type {
  ContractSuiteOptions,
  NativeBody,
  NativeExchange,
  NativeScenarios,
  SimulatedGuestUpdate,
  StartVendor,
} from '@waiver-service/contract-suite';
import type { Booking, Waiver, WarningCode } from '@waiver-service/core';
import { objectsIn } from '@waiver-service/plugin-kit';
import type { Fault } from '@waiver-service/simulator';
import { expect } from 'vitest';
import { type RollerBooking, type RollerOptions, rollerBooking, startRoller } from '../simulator/index.ts';
import { anyFixture, fixture } from './fixtures.ts';

/** The unique id of the booking in `paid.json`. */
export const bookingId = '0d9e6d0a-52b7-4a0e-9d5c-5a4f8c1b2e90';
/** Its reference, by which guests and staff know it. */
export const bookingReference = '77120345';

const headers = { accept: 'application/json' };
const read = { method: 'GET', path: '/bookings/{bookingId}', headers } as const;

const ownerRead: NativeExchange = {
  request: { method: 'GET', path: '/guests/500123', headers },
  answer: { body: fixture('guest') },
};
const venueRead: readonly NativeExchange[] = [
  { request: { method: 'GET', path: '/venues/me', headers }, answer: { body: fixture('venue') } },
  {
    request: { method: 'GET', path: '/products', query: { productType: 'Pass' }, headers },
    answer: { body: anyFixture('products') },
  },
];

const noor = {
  id: '77120345-40001',
  name: 'Noor Haddad',
  participantType: 'adult',
  productId: '99501',
  customerId: '500123',
  signedWaiverId: '610077',
};
const unnamed = {
  id: '77120345-40002',
  participantType: 'adult',
  productId: '99501',
  customTicketId: 'band-17',
};
const wei = { id: '77120345-40003', name: '李 Wei', participantType: 'child', productId: '99502' };

const jump = {
  startsAt: '2027-07-03T00:30:00Z',
  endsAt: '2027-07-03T02:00:00Z',
  activityId: '99500',
  activityName: '90 Minute Jump',
};

/** The booking in `paid.json`. */
export const paid: Booking = {
  id: bookingId,
  status: 'Paid',
  statusGroup: 'active',
  contact: { name: 'Noor Haddad', email: 'noor@example.com', phoneNumber: '+61 2 5550 0142' },
  pax: 3,
  guests: [noor, unnamed, wei],
  bookedSessions: [jump],
  notes: 'Wheelchair ramp, please.',
  bookingReference,
  bookingName: 'Noor’s birthday',
};

const one = { id: '77120345-40001', name: 'Noor Haddad', participantType: 'adult', productId: '99501' };

const body = (
  name: string,
  changes: Partial<Booking>,
  warnings: readonly WarningCode[] = [],
): NativeBody => ({
  name,
  body: fixture(name),
  further: [ownerRead, ...venueRead],
  expected: { booking: { ...paid, ...changes }, warnings },
});
const ofOne = (name: string, changes: Partial<Booking>, warnings: readonly WarningCode[] = []) =>
  body(name, { pax: 1, guests: [one], ...changes }, warnings);

const { uniqueId, metadata } = rollerBooking;
const entry = '[waiver 01980f7e-waiver-1] updated 2027-06-11';
const key = 'waiver-01980f7e-waiver-1';
const full = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`key-${nth}`, 'value']));
const { 'key-0': _first, ...almostFull } = full;

/** ROLLER with a booking whose first ticket has no name, and its second one has. */
const holding =
  (changes: Partial<RollerBooking> = {}, options: Partial<RollerOptions> = {}, fault?: Fault): StartVendor =>
  async ({ account: { apiKey, clientId } }) => {
    const bookings = [{ ...rollerBooking, ...changes }];
    const system = await startRoller({
      clientId: String(clientId),
      clientSecret: apiKey,
      bookings,
      ...options,
    });
    if (fault) system.faults.next('update', fault);
    return { ...system, state: () => system.bookings.get(uniqueId) };
  };

/** The items of the booking, with a holder's name on its first ticket. */
function naming(ticketHolderName: string): Pick<RollerBooking, 'items'> {
  const [jump, ...items] = rollerBooking.items;
  const [ticket, ...tickets] = jump?.tickets ?? [];
  if (!jump || !ticket) throw new Error('the example has no ticket');
  return { items: [{ ...jump, tickets: [{ ...ticket, ticketHolderName }, ...tickets] }, ...items] };
}

const guest = { bookingId: uniqueId, bookingGuestId: '91004417-88001' };
const update = (
  name: string,
  waiver: Partial<Waiver>,
  vendor: StartVendor,
  expected: SimulatedGuestUpdate['expected'],
): SimulatedGuestUpdate => ({ name, waiver: { ...guest, ...waiver }, vendor, expected });

/** What ROLLER stores of the booking before and after a waiver is written. */
const writing = (
  name: string,
  waiver: Partial<Waiver>,
  [before, after]: readonly [Partial<RollerBooking>, Partial<RollerBooking>],
  warnings: readonly WarningCode[] = [],
): SimulatedGuestUpdate => ({
  ...update(name, waiver, holding(before), { warnings }),
  after: { ...rollerBooking, ...before, ...after },
});

/** ROLLER stores something other than what was sent. */
const keeping = (
  name: string,
  waiver: Partial<Waiver>,
  before: Partial<RollerBooking>,
  keeps: Keeps,
  expected: SimulatedGuestUpdate['expected'],
): SimulatedGuestUpdate => ({
  ...update(name, waiver, holding(before, { keeps }), expected),
  after: expect.anything(),
});
type Keeps = NonNullable<RollerOptions['keeps']>;
const theFormer: Keeps = (_changed, former) => former;
const theName: Keeps = (changed, { metadata: kept }) => ({ ...changed, metadata: kept });
const theEntry: Keeps = (changed, { items }) => ({ ...changed, items });
const withoutItems: Keeps = (changed) => ({ ...changed, comments: null, items: [] });
const withoutAmpersands: Keeps = (changed) => ({
  ...changed,
  metadata: { ...changed.metadata, [key]: String(changed.metadata[key]).replace('&', '') },
});
const written = { metadata: { [key]: entry } };
const partly = { warnings: ['waiver_partly_written'] } as const;

/** Reads whose answers the documentation does not foresee, before the change or after it. */
const strangeAnswers = ['none', [], null].flatMap((shown) =>
  [false, true].flatMap((stays): SimulatedGuestUpdate[] => {
    const stored = { metadata: { [key]: entry } };
    const shows = (booking: object, nth: number) =>
      stays || nth === 0 ? { ...booking, metadata: shown } : booking;
    const where = `where metadata ${stays ? 'stays' : 'was'} ${JSON.stringify(shown)}`;
    return [
      {
        ...update(
          `a void is sent ${where}`,
          { deleted: true },
          holding(stored, { shows }),
          stays ? { notWritten: /could not be verified/ } : { warnings: [] },
        ),
        after: { ...rollerBooking, metadata: {} },
      },
      {
        ...update(`an entry is added ${where}`, {}, holding({ metadata: {} }, { shows }), {
          warnings: stays ? ['waiver_partly_written'] : [],
        }),
        after: { ...rollerBooking, ...stored },
      },
    ];
  }),
);
const noBookings = [{}, { errors: [] }, { ...rollerBooking, status: undefined }].flatMap((answer) =>
  [false, true].flatMap((deleted) => {
    const [before, after] = [{ [key]: entry }, {}];
    const metadata = deleted ? before : after;
    const at = (read: number) =>
      update(
        `no booking in answer ${read} to a read: ${JSON.stringify(answer).slice(0, 20)}, deleted: ${deleted}`,
        { deleted },
        holding({ metadata }, { shows: (booking, nth) => (nth === read ? answer : booking) }),
        { code: 'invalid_booking_response' },
      );
    return [at(0), { ...at(1), after: { ...rollerBooking, metadata: deleted ? after : before } }];
  }),
);

/** ROLLER's refusal of a change. */
const refusal = (
  name: string,
  fault: { readonly status: number; readonly body: unknown },
  expected: SimulatedGuestUpdate['expected'],
): SimulatedGuestUpdate => ({
  ...update(name, {}, holding({}, {}, { kind: 'status', ...fault }), expected),
  after: rollerBooking,
});

const configurationOf = (url: string) => ({
  url,
  enabled: true,
  authentication: { apiKey: 'waiver-service' },
  webhooks: { booking: { events: ['Created', 'Updated', 'Cancelled'] } },
});
const messageId = '67d2ada6-10cc-4177-909d-430f3b2593d4';

/** ROLLER's REST API as documented. */
export const scenarios: NativeScenarios = {
  bookingId,
  readRequest: read,
  bodies: [
    body('paid', {}, ['guest_without_name', 'item_skipped']),
    {
      ...body('paid', {}, ['guest_without_name', 'item_skipped']),
      name: 'paid, by its reference',
      bookingId: bookingReference,
    },
    {
      ...body('paid', { pax: 0, guests: [] }, ['nobody_expected']),
      name: 'paid, for passes of which none was bought',
      body: {
        ...fixture('paid'),
        items: objectsIn(fixture('paid').items)
          .slice(0, 1)
          .map((item) => ({ ...item, quantity: 0, tickets: [] })),
      },
    },
    body(
      'group-pass',
      {
        pax: 4,
        guests: [
          { ...one, participantType: 'Family of 4', productId: '99503' },
          ...['40002', '40003', '40007'].map((ticket) => ({
            id: `77120345-${ticket}`,
            participantType: 'Family of 4',
            productId: '99503',
          })),
        ],
      },
      ['guest_without_name'],
    ),
    ofOne(
      'day-pass',
      {
        guests: [{ ...one, productId: '99601', participantType: 'Concession' }],
        bookedSessions: [
          {
            startsAt: '2027-07-02T14:00:00Z',
            endsAt: '2027-07-04T14:00:00Z',
            activityId: '99600',
            activityName: 'Day Pass',
          },
        ],
      },
      ['session_incomplete'],
    ),
    ofOne(
      'membership',
      {
        guests: [{ ...one, productId: '99801', participantType: 'Gold', membershipStatus: 'Current' }],
        bookedSessions: [
          {
            startsAt: '2027-07-02T14:00:00Z',
            endsAt: '2028-07-02T14:00:00Z',
            activityId: '99800',
            activityName: 'Season Pass',
          },
        ],
      },
      ['session_incomplete'],
    ),
    ofOne('ends-at-midnight', {
      bookedSessions: [{ ...jump, startsAt: '2027-07-03T12:30:00Z', endsAt: '2027-07-03T14:00:00Z' }],
    }),
    ofOne('past-midnight', {
      bookedSessions: [{ ...jump, startsAt: '2027-07-03T13:00:00Z', endsAt: '2027-07-03T15:30:00Z' }],
    }),
    ofOne(
      'ends-when-it-starts',
      { bookedSessions: [{ startsAt: jump.startsAt, activityId: '99500', activityName: '90 Minute Jump' }] },
      ['session_incomplete'],
    ),
    ofOne('clocks-go-back', {
      bookedSessions: [{ ...jump, startsAt: '2027-04-03T14:30:00Z', endsAt: '2027-04-03T17:30:00Z' }],
    }),
    {
      name: 'without-owner: a booking at the counter',
      body: fixture('without-owner'),
      further: venueRead,
      expected: {
        booking: (({ notes: _notes, ...booking }) => ({
          ...booking,
          contact: { name: '' },
          bookingName: 'Walk-in',
        }))(paid),
        warnings: ['contact_incomplete', 'guest_without_name', 'item_skipped'],
      },
    },
    {
      ...body('paid', { contact: { name: '' } }, [
        'contact_incomplete',
        'guest_without_name',
        'item_skipped',
      ]),
      name: 'paid, by an owner who was deleted',
      further: [{ ...ownerRead, answer: { status: 404, body: '"Guest does not exist"' } }, ...venueRead],
    },
    body('cancelled', { status: 'Cancelled', statusGroup: 'cancelled' }, [
      'guest_without_name',
      'item_skipped',
    ]),
    body('cancelled-without-items', {
      status: 'Cancelled',
      statusGroup: 'cancelled',
      pax: 0,
      guests: [],
      bookedSessions: [],
    }),
    body(
      'party-of-unknown-product',
      {
        pax: 2,
        guests: [
          { id: '77120345-40001', productId: '55555' },
          { id: '77120345-40002', productId: '55555' },
        ],
        bookedSessions: [{ startsAt: jump.startsAt, endsAt: jump.endsAt, activityId: '55555' }],
      },
      ['guest_without_name', 'item_skipped', 'session_incomplete'],
    ),
    ofOne('lists-as-objects', {}),
    ofOne('start-time', {}),
    body('without-tickets', { pax: 2, guests: [] }),
    body('group-pass-without-tickets', { pax: 8, guests: [] }, ['count_disagrees']),
    body('fewer-tickets-than-quantity', { pax: 3, guests: [noor, unnamed] }, [
      'count_disagrees',
      'guest_without_name',
    ]),
    ofOne('replaced-field-names', { guests: [{ ...one, customTicketId: 'band-16' }] }),
    body(
      'open-dated',
      {
        guests: [noor, unnamed, { id: '77120345-40009', participantType: 'Concession', productId: '99601' }],
      },
      ['guest_without_name', 'item_skipped'],
    ),
    ofOne(
      'ticket-without-an-id',
      { guests: [{ name: 'Noor Haddad', participantType: 'adult', productId: '99501' }] },
      ['value_ignored'],
    ),
  ],
  notFound: { status: 404, body: '"Booking not found"' },
  refusals: [{ name: 'a page', answer: { body: '<h1>Maintenance</h1>' }, code: 'invalid_booking_response' }],
  guestUpdates: [
    writing('an entry is added to the metadata', {}, [{}, { metadata: { ...metadata, [key]: entry } }]),
    writing('a shared name goes onto a ticket without one', { name: 'Iðunn Ósk' }, [
      {},
      { ...naming('Iðunn Ósk'), metadata: { ...metadata, [key]: `${entry} · name: Iðunn Ósk` } },
    ]),
    writing('first and last name do as well', { firstName: 'Iðunn', lastName: 'Ósk' }, [
      { metadata: {} },
      { ...naming('Iðunn Ósk'), metadata: { [key]: `${entry} · firstName: Iðunn · lastName: Ósk` } },
    ]),
    writing(
      'a name that is on the ticket stays',
      { bookingGuestId: '91004417-88002', name: 'Somebody Else' },
      [{ metadata: {} }, { metadata: { [key]: `${entry} · name: Somebody Else` } }],
    ),
    update('an existing entry is not written again', {}, holding({ metadata: { [key]: entry } }), {
      warnings: [],
    }),
    writing('a void removes its entry', { deleted: true }, [
      { metadata: { [key]: entry, group: '7' } },
      { metadata: { group: '7' } },
    ]),
    update(
      'a void without an entry needs no change: ROLLER omits metadata if there is none',
      { deleted: true },
      holding({ metadata: {} }),
      { warnings: [] },
    ),
    ...strangeAnswers,
    ...noBookings,
    writing(
      'a waiver of a guest whom the booking does not have',
      { bookingGuestId: '91004417-1' },
      [{}, { metadata: { ...metadata, [key]: entry } }],
      ['waiver_partly_written'],
    ),
    update(
      'a booking by its reference: the host asks again in the turn of the unique id',
      { bookingId: rollerBooking.bookingReference },
      holding(),
      { code: 'booking_has_other_id', ownId: uniqueId },
    ),
    writing('a booking without a name and comments gets none', {}, [
      { name: '', comments: null, customerId: null },
      { metadata: { ...metadata, [key]: entry } },
    ]),
    writing(
      'metadata that is full, and a ticket to name',
      { name: 'Iðunn Ósk' },
      [{ metadata: full }, naming('Iðunn Ósk')],
      ['waiver_partly_written'],
    ),
    update('metadata that is full, and no ticket to name', {}, holding({ metadata: full }), {
      notWritten: /20 entries already/,
    }),
    writing('metadata that is full, with its entry in it', {}, [
      { metadata: { ...almostFull, [key]: 'former' } },
      { metadata: { ...almostFull, [key]: entry } },
    ]),
    update('comments that ROLLER would not take back', {}, holding({ comments: 'c'.repeat(501) }), {
      notWritten: /comments are longer than the 500 characters/,
    }),
    update('a name that ROLLER would not take back', {}, holding({ name: 'n'.repeat(129) }), {
      notWritten: /name is longer than the 128 characters/,
    }),
    writing(
      'a name that is too long for a ticket',
      { name: 'n'.repeat(51) },
      [{ metadata: {} }, { metadata: { [key]: `${entry} · name: ${'n'.repeat(51)}` } }],
      ['waiver_partly_written'],
    ),
    keeping('nothing of the change was kept', {}, {}, theFormer, { notWritten: /kept nothing of it/ }),
    keeping('a void that did not remove its entry', { deleted: true }, written, theFormer, {
      notWritten: /left the waiver’s entry/,
    }),
    keeping('the former entry is still there', { medication: 'insulin' }, written, theFormer, {
      notWritten: /still shows the former entry/,
    }),
    keeping('the former entry is still there, and the name', { name: 'Iðunn' }, written, theName, partly),
    keeping('only the name was kept', { name: 'Iðunn' }, {}, theName, partly),
    keeping('only the entry was kept', { name: 'Iðunn' }, {}, theEntry, partly),
    keeping('the entry was kept in other words', { diet: 'fish & chips' }, {}, withoutAmpersands, partly),
    keeping('something else of the booking changed with it', {}, {}, withoutItems, {
      warnings: ['waiver_partly_written', 'waiver_partly_written', 'waiver_partly_written'],
    }),
    {
      ...update('a booking that the API may not change', {}, holding({}, { isOnlyOwnChanged: true }), {
        notWritten: /made via the API/,
      }),
      after: rollerBooking,
    },
    {
      ...update('a change that ROLLER refuses', {}, holding({ status: 'Cancelled' }), {
        code: 'waiver_rejected',
        retry: 'three-attempts',
      }),
      after: { ...rollerBooking, status: 'Cancelled' },
    },
    refusal(
      'a booking that the API may not change, without a word',
      { status: 403, body: '' },
      { notWritten: /does not let this booking be changed: note/ },
    ),
    refusal(
      'a body that ROLLER refuses',
      { status: 400, body: { errors: [{ name: 'Metadata', message: 'a value is too long' }] } },
      { code: 'waiver_rejected', retry: 'three-attempts' },
    ),
    refusal(
      'throttled between reading and writing',
      { status: 429, body: 'Too Many Requests' },
      { code: 'booking_system_rate_limited' },
    ),
    update('the booking is gone', { bookingId: 'gone' }, holding(), {
      code: 'waiver_rejected',
      retry: 'schedule',
    }),
  ],
  inbound: [
    {
      name: 'a changed booking',
      call: { body: fixture('inbound-booking') },
      bookingIds: [bookingId],
      messageId,
    },
    {
      name: 'a changed booking, its types by number',
      call: { body: fixture('inbound-booking-by-number') },
      bookingIds: [bookingId],
      messageId,
    },
    {
      name: 'a changed booking, below `data.booking`',
      call: { body: fixture('inbound-booking-below-data') },
      bookingIds: [bookingId],
      messageId,
    },
    {
      name: 'a redemption',
      call: { body: fixture('inbound-redemption') },
      bookingIds: [],
      messageId,
    },
    {
      name: 'a signed waiver of ROLLER’s own',
      call: { body: fixture('inbound-signed-waiver') },
      bookingIds: [],
      messageId,
    },
  ],
  access: holding(),
  webhooks: {
    async vendor({ account: { apiKey, clientId } }) {
      const system = await startRoller({ clientId: String(clientId), clientSecret: apiKey });
      const configuration = configurationOf('https://crm.example/roller');
      system.webhooks.all.push({ webhookId: 231, createdDate: '2027-02-03T02:50:01Z', configuration });
      return { ...system, state: () => system.webhooks.all.map((hook) => hook.configuration) };
    },
    registered: (url) => [configurationOf(url)],
  },
};

/** Answers whose meaning does not follow from their status. */
export const judged: NonNullable<ContractSuiteOptions['judged']> = [
  {
    name: 'a 429 without a time to wait',
    answer: { status: 429, body: '"Too Many Requests"' },
    meaning: 'throttled',
    retryAfterMs: 60_000,
  },
  {
    name: 'a 429 that says how long',
    answer: { status: 429, headers: { 'retry-after': '7' }, body: '' },
    meaning: 'throttled',
    retryAfterMs: 7_000,
  },
];
