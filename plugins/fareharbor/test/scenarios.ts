import type {
  ContractSuiteOptions,
  NativeAnswer,
  NativeBody,
  NativeExchange,
  NativeScenarios,
  SimulatedGuestUpdate,
  StartVendor,
} from '@waiver-service/contract-suite';
import type { Booking, Waiver } from '@waiver-service/core';
import type { Fault } from '@waiver-service/simulator';
import { type FareHarborBooking, startFareHarbor } from '../simulator/index.ts';
import { fixture } from './fixtures.ts';

/** The uuid of the booking in `booked.json`. */
export const bookingId = 'c1a7d0de-2f64-4a6e-8f0b-7d9f0a3b52aa';
const rebookedTo = '0b9c5a0e-9d51-4f6d-a7cc-5b1e6f6f1d02';

const path = '/companies/northshore/bookings/{bookingId}/';
const read = { method: 'GET', path } as const;
const pathOf = (uuid: string) => path.replace('{bookingId}', uuid);
const readNext = { method: 'GET', path: pathOf(rebookedTo) } as const;

/** The booking in `booked.json`. */
export const booked: Booking = {
  id: bookingId,
  status: 'booked',
  statusGroup: 'active',
  contact: { name: 'Noor Haddad', email: 'noor@example.com', phoneNumber: '+31205550142' },
  pax: 2,
  guests: [
    {
      id: '610001',
      name: 'Noor Haddad',
      participantType: 'adult',
      'Can swim': 'Yes',
      'Guest name': 'Noor Haddad',
    },
    { id: '610002', name: '李 Wei', participantType: 'child', 'Guest name': '李 Wei' },
  ],
  bookedSessions: [
    {
      startsAt: '2027-07-03T18:15:00Z',
      endsAt: '2027-07-03T21:45:00Z',
      activityId: '3120',
      activityName: 'Outrigger canoe tour',
    },
  ],
  notes: 'Late lunch, please.\nWheelchair on board.',
  displayId: '#91003317',
};
const [session] = booked.bookedSessions;
const { endsAt: _endsAt, ...withoutEnd } = session ?? { startsAt: '' };
const [noor, wei] = booked.guests;

const signed = '[waiver w%201] updated 2027-06-11 [end]';
const readNote = (shown: string | null): NativeExchange => ({
  request: read,
  answer: { body: { booking: { ...fixture('booked').booking, note: shown } } },
});
const putNote = (body?: object, answer: NativeAnswer = { status: 204 }): NativeExchange => ({
  request: { method: 'PUT', path: `${path}note/`, ...(body && { body }) },
  answer,
});
const stored = (name: string, changes: object = {}): FareHarborBooking => ({
  ...Object(fixture(name).booking),
  ...changes,
});
/** FareHarbor with some of the fixtures; the fault is its answer to a new note. */
const holding =
  (bookings: readonly FareHarborBooking[], fault?: Fault): StartVendor =>
  async ({ account: { apiKey: userKey, shortname }, settings: { appKey } }) => {
    const keys = { userKey, shortname: String(shortname), appKey: String(appKey) };
    const system = await startFareHarbor({ ...keys, bookings });
    if (fault) system.faults.next('note', fault);
    return { ...system, state: () => [...system.bookings.values()] };
  };
const writing = (
  name: string,
  waiver: Partial<Waiver>,
  before: string | null,
  after: string,
): SimulatedGuestUpdate => ({
  name,
  waiver: { id: 'w 1', ...waiver },
  vendor: holding([stored('booked', { note: before })]),
  after: [stored('booked', { note: after })],
  expected: { warnings: [] },
});
const withNote = (name: string, text: string) => ({ booking: { ...fixture(name).booking, note: text } });
const refused = (
  name: string,
  status: number,
  error: string,
  expected: SimulatedGuestUpdate['expected'],
): SimulatedGuestUpdate => ({
  name,
  vendor: holding([stored('booked')], { kind: 'status', status, body: { error, status } }),
  after: [stored('booked')],
  expected,
});

/** A charter booked as one customer, whose number of people is an answer of the booking or of the customer. */
const charter = (name: string, pax: number, answer?: string): NativeBody => {
  const answers = { 'Number of guests': answer ?? String(pax) };
  const guest = { id: '610001', participantType: 'Private charter' };
  return {
    name,
    body: fixture(name),
    expected: {
      booking: {
        ...booked,
        pax,
        ...(answer === undefined ? { guests: [{ ...guest, ...answers }] } : { guests: [guest], ...answers }),
      },
      warnings: pax === 1 ? ['guest_without_name', 'value_ignored'] : ['guest_without_name'],
    },
  };
};

/** FareHarbor's API as documented. */
export const scenarios: NativeScenarios = {
  bookingId,
  readRequest: read,
  bodies: [
    { name: 'booked', body: fixture('booked'), expected: { booking: booked } },
    {
      name: 'booked, without customers',
      body: { booking: { ...fixture('booked').booking, customers: [], customer_count: 0 } },
      expected: { booking: { ...booked, pax: 0, guests: [] }, warnings: ['nobody_expected'] },
    },
    {
      name: 'offset-without-colon',
      body: fixture('offset-without-colon'),
      expected: {
        booking: {
          ...booked,
          bookedSessions: [{ ...session, startsAt: '2027-11-07T03:15:00Z', endsAt: '2027-11-07T04:45:00Z' }],
        },
      },
    },
    {
      name: 'ends-when-it-starts',
      body: fixture('ends-when-it-starts'),
      expected: {
        booking: {
          ...booked,
          bookedSessions: [withoutEnd],
        },
        warnings: ['session_incomplete'],
      },
    },
    {
      name: 'customer-count-disagrees',
      body: fixture('customer-count-disagrees'),
      expected: { booking: booked, warnings: ['count_disagrees'] },
    },
    charter('private-charter', 8, '8'),
    charter('private-charter-by-option', 12, '12'),
    charter('private-charter-by-customer', 6),
    charter('private-charter-unclear', 1, '8 or 9'),
    {
      name: 'customers-without-names',
      body: fixture('customers-without-names'),
      expected: {
        booking: {
          ...booked,
          guests: [
            { id: '610001', participantType: 'adult' },
            { id: '610002', participantType: 'child' },
          ],
        },
        warnings: ['guest_without_name'],
      },
    },
    {
      name: 'beyond-its-schema',
      body: fixture('beyond-its-schema'),
      expected: {
        booking: {
          id: bookingId,
          status: 'booked',
          statusGroup: 'active',
          contact: { name: '' },
          pax: 2,
          guests: [{}, {}],
          bookedSessions: [{ startsAt: '2027-07-03T18:15:00Z', activityName: 'Sunrise paddle' }],
        },
        warnings: ['contact_incomplete', 'guest_without_name', 'session_incomplete', 'session_incomplete'],
      },
    },
    {
      name: 'custom-fields: by name, except reserved names',
      body: fixture('custom-fields'),
      expected: {
        booking: {
          ...booked,
          'How did you hear of us?': 'A friend',
          guests: [
            { id: '610001', participantType: 'Ocho horas', 'Shoe size': '42', email: 'noor@example.com' },
            { id: '610002', participantType: 'Adults (18 and up)' },
          ],
        },
        warnings: ['guest_without_name'],
      },
    },
    {
      name: 'cancelled: it keeps its guests, its pax and its session',
      body: fixture('cancelled'),
      expected: { booking: { ...booked, status: 'cancelled', statusGroup: 'cancelled' } },
    },
    {
      name: 'cancelled-and-emptied: it is still read',
      body: fixture('cancelled-and-emptied'),
      expected: {
        booking: {
          ...booked,
          status: 'cancelled',
          statusGroup: 'cancelled',
          pax: 0,
          guests: [],
          bookedSessions: [],
        },
      },
    },
    {
      name: 'rebooked-to-nowhere: it is cancelled',
      body: fixture('rebooked-to-nowhere'),
      expected: { booking: { ...booked, status: 'rebooked', statusGroup: 'cancelled' } },
    },
    {
      name: 'rebooked',
      body: fixture('rebooked'),
      further: [{ request: readNext, answer: { body: fixture('rebooked-to') } }],
      expected: {
        booking: {
          ...booked,
          id: rebookedTo,
          displayId: '#91003400',
          guests: [
            { ...noor, id: '620001' },
            { ...wei, id: '620002' },
          ],
          bookedSessions: [{ ...session, startsAt: '2027-07-05T18:15:00Z', endsAt: '2027-07-05T21:45:00Z' }],
        },
      },
    },
  ],
  keyRefused: { status: 403, body: { error: 'user-key-invalid', status: 403 } },
  notFound: { status: 404, body: { error: 'booking-uuid-invalid', status: 404 } },
  refusals: [
    {
      name: 'throttled by 420',
      answer: { status: 420, body: { error: 'Too Many Requests', status: 420 } },
      code: 'booking_system_rate_limited',
    },
    {
      name: 'throttled by 403, by a page',
      answer: { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>403 Forbidden</h1>' },
      code: 'booking_system_rate_limited',
    },
    {
      name: 'without-availability',
      answer: { body: fixture('without-availability') },
      code: 'invalid_booking_response',
    },
    {
      name: 'start-without-zone',
      answer: { body: fixture('start-without-zone') },
      code: 'invalid_booking_response',
    },
    { name: 'no booking', answer: { body: { booking: null } }, code: 'invalid_booking_response' },
    {
      name: 'an empty booking',
      answer: { body: { booking: { rebooked_to: '' } } },
      code: 'invalid_booking_response',
    },
    {
      name: 'rebooked to itself',
      answer: { body: { booking: { ...fixture('rebooked').booking, rebooked_to: bookingId } } },
      code: 'invalid_booking_response',
    },
  ],
  guestUpdates: [
    writing('a line is added to what the staff wrote', {}, 'Two vegetarians.', `Two vegetarians.\n${signed}`),
    writing('the line is the first one', {}, null, signed),
    writing('a void removes its line', { deleted: true }, `A\n${signed}\nB`, 'A\nB'),
    {
      name: 'a rebooked booking: nothing is written before its replacement is known',
      waiver: { id: 'w 1' },
      vendor: holding([stored('rebooked'), stored('rebooked-to')]),
      expected: { code: 'booking_has_other_id', ownId: rebookedTo },
    },
    {
      name: 'a void removes the line from the replaced booking, too, and writes each note right after it was read',
      waiver: { id: 'w 1', bookingId: rebookedTo, deleted: true },
      exchanges: [
        { request: readNext, answer: { body: withNote('rebooked-to', signed) } },
        {
          request: { method: 'PUT', path: `${readNext.path}note/`, body: { note: '' } },
          answer: { body: withNote('rebooked-to', '') },
        },
        { request: readNext, answer: { body: withNote('rebooked-to', '') } },
        {
          request: { method: 'GET', path: pathOf(bookingId) },
          answer: { body: withNote('rebooked', `A\n${signed}`) },
        },
        {
          request: { method: 'PUT', path: `${pathOf(bookingId)}note/`, body: { note: 'A' } },
          answer: { body: withNote('rebooked', 'A') },
        },
        { request: { method: 'GET', path: pathOf(bookingId) }, answer: { body: withNote('rebooked', 'A') } },
      ],
      expected: { warnings: [] },
    },
    {
      name: 'note-not-shown: an unreadable note is not overwritten',
      vendor: holding([stored('note-not-shown')]),
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
    {
      name: 'the booking is gone',
      vendor: holding([]),
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
    refused('the note is refused as it is', 400, 'booking-note-error', {
      code: 'waiver_rejected',
      retry: 'three-attempts',
    }),
    refused('the note is refused for good', 410, 'gone', { code: 'waiver_rejected', retry: 'never' }),
    refused('the booking disappears between reading and writing', 404, 'booking-uuid-invalid', {
      code: 'waiver_rejected',
      retry: 'schedule',
    }),
    refused('throttled between reading and writing, without mention of a key', 403, 'Forbidden', {
      code: 'booking_system_rate_limited',
    }),
    refused('the keys become invalid between reading and writing', 400, 'key-missing', {
      code: 'booking_system_auth_rejected',
    }),
    {
      name: 'staff save what they had open right after the write: both are written',
      waiver: { id: 'w 1' },
      exchanges: [
        readNote('A'),
        putNote({ note: `A\n${signed}` }, { body: withNote('booked', `A\n${signed}`) }),
        readNote('A, in a wheelchair'),
        putNote({ note: `A, in a wheelchair\n${signed}` }),
        readNote(`A, in a wheelchair\n${signed}`),
      ],
      expected: { warnings: [] },
    },
  ],
  inbound: [
    {
      name: 'a changed booking',
      call: { headers: {}, query: { key: 'pool-key' }, body: fixture('booked') },
      bookingIds: [bookingId],
    },
    {
      name: 'a booking that replaced another one, to which waivers refer',
      call: { body: fixture('rebooked-to') },
      bookingIds: [rebookedTo, bookingId],
    },
    {
      name: 'a call about the catalogue',
      call: { body: { items: [] } },
      bookingIds: [],
    },
    {
      name: 'a call about an item',
      call: { body: fixture('item') },
      bookingIds: [],
    },
    {
      name: 'a call about a crew member',
      call: { body: { crew_member: { pk: 7, name: 'Sam' } } },
      bookingIds: [],
    },
  ],
};

const says = (status: number, error: string) => ({
  name: error,
  answer: { status, body: { error, status } },
});

/** Answers whose meaning does not follow from their status. */
export const judged: NonNullable<ContractSuiteOptions['judged']> = [
  { name: 'a 403 without a word', answer: { status: 403, body: '' }, meaning: 'throttled' },
  {
    name: 'a 403 that says how long',
    answer: { status: 403, headers: { 'retry-after': '60' }, body: { error: 'Forbidden', status: 403 } },
    meaning: 'throttled',
    retryAfterMs: 60_000,
  },
  { ...says(403, 'user-key-invalid'), meaning: 'bad-key' },
  { ...says(400, 'key-missing'), meaning: 'bad-key' },
  { ...says(404, 'booking-uuid-invalid'), meaning: 'not-found' },
];
