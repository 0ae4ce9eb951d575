import {
  type ContractSuiteOptions,
  formerWebhookUrl,
  type NativeBody,
  type NativeExchange,
  type NativeGuestUpdate,
  type NativeScenarios,
  webhookUrl,
} from '@waiver-service/contract-suite';
import type { Booking, WarningCode } from '@waiver-service/core';
import { type JsonObject, objectOf, objectsIn } from '@waiver-service/plugin-kit';
import { anyFixture, fixture } from './fixtures.ts';

/** The unique id of the booking in `paid.json`. */
export const bookingId = '0d9e6d0a-52b7-4a0e-9d5c-5a4f8c1b2e90';
/** Its reference, by which guests and staff know it. */
export const bookingReference = '77120345';

const headers = { accept: 'application/json' };
const read = { method: 'GET', path: '/bookings/{bookingId}', headers } as const;
const put = {
  method: 'PUT',
  path: '/bookings/{bookingId}',
  headers: { ...headers, 'content-type': 'application/json; charset=UTF-8' },
} as const;
const readByUniqueId = { method: 'GET', path: `/bookings/${bookingId}`, headers } as const;

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

const entry = '[waiver 01980f7e-waiver-1] updated 2027-06-11';
const key = 'waiver-01980f7e-waiver-1';
const texts = { name: 'Noor’s birthday', comments: 'Wheelchair ramp, please.' };
const withMetadata = (metadata: JsonObject, booking = fixture('paid')) => ({ ...booking, metadata });

/** The booking, with a holder's name on its second ticket. */
function withHolder(name: string, booking = fixture('paid')): JsonObject {
  const [first, ...items] = objectsIn(booking.items);
  const [held, unheld] = objectsIn(objectOf(first).tickets);
  return {
    ...booking,
    items: [{ ...first, tickets: [held, { ...unheld, ticketHolderName: name }] }, ...items],
  };
}

const naming = (name: string) => [
  {
    bookingItemId: '881001',
    bookingEndDate: '2027-07-03',
    tickets: [{ ticketId: '77120345-40002', customTicketId: 'band-17', name }],
  },
];
const messageId = '67d2ada6-10cc-4177-909d-430f3b2593d4';
const full = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`key-${nth}`, 'value']));

const exchanges = (
  before: JsonObject,
  change: JsonObject,
  after: JsonObject,
): NativeGuestUpdate['exchanges'] => [
  { request: read, answer: { body: before } },
  { request: { ...put, body: change }, answer: { body: '' } },
  { request: readByUniqueId, answer: { body: after } },
];
const refused = (status: number, answer: unknown): NativeGuestUpdate['exchanges'] => [
  { request: read, answer: { body: fixture('paid') } },
  { request: put, answer: { status, body: JSON.stringify(answer) } },
];

const configurationOf = (url: string, changes: object = {}) => ({
  url,
  enabled: true,
  authentication: { apiKey: 'a key' },
  webhooks: { booking: { events: ['Created', 'Updated', 'Cancelled'] } },
  ...changes,
});
const hookOf = (webhookId: number, url: string) => ({
  webhookId,
  createdDate: '2027-02-03T02:50:01.2354035Z',
  configuration: configurationOf(url),
});
const otherHook = hookOf(231, 'https://crm.example/roller');
const listWebhooks = (hooks: readonly object[]): NativeExchange => ({
  request: { method: 'GET', path: '/webhooks', headers },
  answer: { body: hooks },
});
const deleteWebhook = (id: number): NativeExchange => ({
  request: { method: 'DELETE', path: `/webhooks/${id}` },
  answer: { body: '' },
});

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
    {
      name: 'an entry is added to the metadata',
      exchanges: exchanges(
        withMetadata({ group: '7' }),
        { ...texts, metadata: { [key]: entry } },
        withMetadata({ group: '7', [key]: entry }),
      ),
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { warnings: [] },
    },
    {
      name: 'a shared name goes onto a ticket without one, and nothing that the ticket has is lost',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: `${entry} · name: Iðunn Ósk` }, itemsToUpdate: naming('Iðunn Ósk') },
        withMetadata({ [key]: `${entry} · name: Iðunn Ósk` }, withHolder('Iðunn Ósk')),
      ),
      waiver: { bookingGuestId: '77120345-40002', name: 'Iðunn Ósk' },
      expected: { warnings: [] },
    },
    {
      name: 'first and last name do as well',
      exchanges: exchanges(
        fixture('paid'),
        {
          ...texts,
          metadata: { [key]: `${entry} · firstName: Iðunn · lastName: Ósk` },
          itemsToUpdate: naming('Iðunn Ósk'),
        },
        withMetadata({ [key]: `${entry} · firstName: Iðunn · lastName: Ósk` }, withHolder('Iðunn Ósk')),
      ),
      waiver: { bookingGuestId: '77120345-40002', firstName: 'Iðunn', lastName: 'Ósk' },
      expected: { warnings: [] },
    },
    {
      name: 'a name that is on the ticket stays',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: `${entry} · name: Somebody Else` } },
        withMetadata({ [key]: `${entry} · name: Somebody Else` }),
      ),
      waiver: { bookingGuestId: '77120345-40001', name: 'Somebody Else' },
      expected: { warnings: [] },
    },
    {
      name: 'an existing entry is not written again',
      exchanges: [{ request: read, answer: { body: withMetadata({ [key]: entry }) } }],
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { warnings: [] },
    },
    {
      name: 'a void removes its entry',
      exchanges: exchanges(
        withMetadata({ [key]: entry, group: '7' }),
        { ...texts, metadata: { [key]: null } },
        withMetadata({ group: '7' }),
      ),
      waiver: { deleted: true },
      expected: { warnings: [] },
    },
    {
      name: 'a void without an entry needs no change: ROLLER omits metadata if there is none',
      exchanges: [{ request: read, answer: { body: fixture('paid') } }],
      waiver: { deleted: true },
      expected: { warnings: [] },
    },
    ...[null, [], 'none'].flatMap((metadata): NativeGuestUpdate[] => {
      const unshown = { ...fixture('paid'), metadata };
      const removal = { ...texts, metadata: { [key]: null } };
      const addition = { ...texts, metadata: { [key]: entry } };
      const shown = JSON.stringify(metadata);
      return [
        {
          name: `a void is sent where metadata is ${shown}, and not accepted where it still is`,
          exchanges: exchanges(unshown, removal, unshown),
          waiver: { deleted: true },
          expected: { notWritten: /could not be verified/ },
        },
        {
          name: `a void is sent where metadata is ${shown}, and accepted where it is gone`,
          exchanges: exchanges(unshown, removal, fixture('paid')),
          waiver: { deleted: true },
          expected: { warnings: [] },
        },
        {
          name: `an entry is added where metadata is ${shown}`,
          exchanges: exchanges(unshown, addition, withMetadata({ [key]: entry })),
          waiver: { bookingGuestId: '77120345-40001' },
          expected: { warnings: [] },
        },
        {
          name: `an entry counts as added, with a warning, where metadata stays ${shown}`,
          exchanges: exchanges(unshown, addition, unshown),
          waiver: { bookingGuestId: '77120345-40001' },
          expected: { warnings: ['waiver_partly_written'] },
        },
      ];
    }),
    ...[{}, { errors: [] }, { ...fixture('paid'), status: undefined }].flatMap((answer) =>
      [{ bookingGuestId: '77120345-40001' }, { deleted: true }].flatMap((waiver): NativeGuestUpdate[] => {
        const what = `${waiver.deleted ? 'a void' : 'an update'}: ${JSON.stringify(answer).slice(0, 20)}`;
        const body = { ...texts, metadata: { [key]: waiver.deleted ? null : entry } };
        return [
          {
            name: `nothing is sent where the answer is no booking, for ${what}`,
            exchanges: [{ request: read, answer: { body: answer } }],
            waiver,
            expected: { code: 'invalid_booking_response' },
          },
          {
            name: `nothing is accepted where the answer to the second read is no booking, for ${what}`,
            exchanges: exchanges(withMetadata(waiver.deleted ? { [key]: entry } : {}), body, answer),
            waiver,
            expected: { code: 'invalid_booking_response' },
          },
        ];
      }),
    ),
    {
      name: 'a void that did not remove its entry',
      exchanges: exchanges(
        withMetadata({ [key]: entry }),
        { ...texts, metadata: { [key]: null } },
        withMetadata({ [key]: entry }),
      ),
      waiver: { deleted: true },
      expected: { notWritten: /left the waiver’s entry/ },
    },
    {
      name: 'a waiver of a guest whom the booking does not have',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: entry } },
        withMetadata({ [key]: entry }),
      ),
      waiver: { bookingGuestId: '77120345-1' },
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'a booking by its reference: the host asks again in the turn of the unique id',
      exchanges: [{ request: read, answer: { body: fixture('paid') } }],
      waiver: { bookingId: bookingReference, bookingGuestId: '77120345-40001' },
      expected: { code: 'booking_has_other_id', ownId: bookingId },
    },
    {
      name: 'a booking without a name and comments gets none',
      exchanges: exchanges(
        { ...fixture('without-owner'), name: null },
        { metadata: { [key]: entry } },
        { ...fixture('without-owner'), name: null, metadata: { [key]: entry } },
      ),
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { warnings: [] },
    },
    {
      name: 'metadata that is full, and a ticket to name',
      exchanges: exchanges(
        withMetadata(full),
        { ...texts, itemsToUpdate: naming('Iðunn Ósk') },
        withMetadata(full, withHolder('Iðunn Ósk')),
      ),
      waiver: { bookingGuestId: '77120345-40002', name: 'Iðunn Ósk' },
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'metadata that is full, and no ticket to name',
      exchanges: [{ request: read, answer: { body: withMetadata(full) } }],
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { notWritten: /20 entries already/ },
    },
    {
      name: 'metadata that is full, with its entry in it',
      exchanges: exchanges(
        withMetadata({ ...full, 'key-0': undefined, [key]: '[waiver 01980f7e-waiver-1] updated 2027-06-01' }),
        { ...texts, metadata: { [key]: entry } },
        withMetadata({ ...full, 'key-0': undefined, [key]: entry }),
      ),
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { warnings: [] },
    },
    {
      name: 'comments that ROLLER would not take back',
      exchanges: [{ request: read, answer: { body: { ...fixture('paid'), comments: 'c'.repeat(501) } } }],
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { notWritten: /comments are longer than the 500 characters/ },
    },
    {
      name: 'a name that ROLLER would not take back',
      exchanges: [{ request: read, answer: { body: { ...fixture('paid'), name: 'n'.repeat(129) } } }],
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { notWritten: /name is longer than the 128 characters/ },
    },
    {
      name: 'a name that is too long for a ticket',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: `${entry} · name: ${'n'.repeat(51)}` } },
        withMetadata({ [key]: `${entry} · name: ${'n'.repeat(51)}` }),
      ),
      waiver: { bookingGuestId: '77120345-40002', name: 'n'.repeat(51) },
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'nothing of the change was kept',
      exchanges: exchanges(fixture('paid'), { ...texts, metadata: { [key]: entry } }, fixture('paid')),
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { notWritten: /kept nothing of it/ },
    },
    {
      name: 'the former entry is still there after a correction',
      exchanges: exchanges(
        withMetadata({ [key]: `${entry} · medication: none` }),
        { ...texts, metadata: { [key]: `${entry} · medication: insulin` } },
        withMetadata({ [key]: `${entry} · medication: none` }),
      ),
      waiver: { bookingGuestId: '77120345-40001', medication: 'insulin' },
      expected: { notWritten: /still shows the former entry/ },
    },
    {
      name: 'the former entry is still there, and the name was kept',
      exchanges: exchanges(
        withMetadata({ [key]: entry }),
        { ...texts, metadata: { [key]: `${entry} · name: Iðunn` }, itemsToUpdate: naming('Iðunn') },
        withMetadata({ [key]: entry }, withHolder('Iðunn')),
      ),
      waiver: { bookingGuestId: '77120345-40002', name: 'Iðunn' },
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'only the name was kept',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: `${entry} · name: Iðunn` }, itemsToUpdate: naming('Iðunn') },
        withHolder('Iðunn'),
      ),
      waiver: { bookingGuestId: '77120345-40002', name: 'Iðunn' },
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'only the entry was kept',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: `${entry} · name: Iðunn` }, itemsToUpdate: naming('Iðunn') },
        withMetadata({ [key]: `${entry} · name: Iðunn` }),
      ),
      waiver: { bookingGuestId: '77120345-40002', name: 'Iðunn' },
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'the entry was kept in other words',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: `${entry} · diet: fish & chips` } },
        withMetadata({ [key]: `${entry} · diet: fish  chips` }),
      ),
      waiver: { bookingGuestId: '77120345-40001', diet: 'fish & chips' },
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'something else of the booking changed with it',
      exchanges: exchanges(
        fixture('paid'),
        { ...texts, metadata: { [key]: entry } },
        { ...withMetadata({ [key]: entry }), comments: null, items: [] },
      ),
      waiver: { bookingGuestId: '77120345-40001' },
      expected: { warnings: ['waiver_partly_written', 'waiver_partly_written', 'waiver_partly_written'] },
    },
    {
      name: 'a booking that the API may not change',
      exchanges: refused(403, "You can only update bookings you've made via the API"),
      expected: { notWritten: /made via the API/ },
      waiver: { bookingGuestId: '77120345-40001' },
    },
    {
      name: 'a booking that the API may not change, without a word',
      exchanges: refused(403, ''),
      expected: { notWritten: /does not let this booking be changed: note/ },
      waiver: { bookingGuestId: '77120345-40001' },
    },
    {
      name: 'a change that ROLLER refuses',
      exchanges: refused(409, { errors: [{ name: 'Booking', message: 'the booking is cancelled' }] }),
      expected: { code: 'waiver_rejected', retry: 'three-attempts' },
      waiver: { bookingGuestId: '77120345-40001' },
    },
    {
      name: 'a body that ROLLER refuses',
      exchanges: refused(400, { errors: [{ name: 'Metadata', message: 'a value is too long' }] }),
      expected: { code: 'waiver_rejected', retry: 'three-attempts' },
      waiver: { bookingGuestId: '77120345-40001' },
    },
    {
      name: 'the booking is gone',
      exchanges: [{ request: read, answer: { status: 404, body: '"Booking not found"' } }],
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
    {
      name: 'throttled between reading and writing',
      exchanges: refused(429, 'Too Many Requests'),
      expected: { code: 'booking_system_rate_limited' },
      waiver: { bookingGuestId: '77120345-40001' },
    },
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
  access: [{ request: { method: 'GET', path: '/venues/me', headers }, answer: { body: fixture('venue') } }],
  webhooks: {
    register: [
      listWebhooks([otherHook]),
      {
        request: {
          method: 'POST',
          path: '/webhooks',
          headers: put.headers,
          body: configurationOf(webhookUrl, { authentication: { apiKey: 'waiver-service' } }),
        },
        answer: { status: 201, body: hookOf(234, webhookUrl) },
      },
      listWebhooks([otherHook, hookOf(234, webhookUrl)]),
    ],
    registerAgain: [listWebhooks([otherHook, hookOf(234, webhookUrl)])],
    move: [
      listWebhooks([otherHook, hookOf(233, formerWebhookUrl)]),
      { request: { method: 'POST', path: '/webhooks' }, answer: { status: 201, body: '' } },
      listWebhooks([otherHook, hookOf(233, formerWebhookUrl), hookOf(234, webhookUrl)]),
      deleteWebhook(233),
    ],
    unregister: [listWebhooks([otherHook, hookOf(234, webhookUrl)]), deleteWebhook(234)],
    unregisterAgain: [listWebhooks([otherHook])],
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
