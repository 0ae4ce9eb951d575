import {
  formerWebhookUrl,
  type NativeCall,
  type NativeExchange,
  type NativeRequest,
  type NativeScenarios,
  webhookUrl,
} from '@waiver-service/contract-suite';
import type { Booking, WarningCode } from '@waiver-service/core';
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
const read = (name: string) => ({ request: readRequest, answer: { body: fixture(name) } });
const listed = (query: Readonly<Record<string, string>>, data: readonly unknown[], info: object) => ({
  request: { method: 'GET', path: '/bookings', query: { includeCanceled: 'true', ...query } } as const,
  answer: { body: { data, info } },
});
const period = {
  startTime: '2027-06-14T00:00:00.000Z',
  endTime: '2027-06-15T00:00:00.000Z',
  expandCustomer: 'true',
  expandParticipants: 'true',
  itemsPerPage: '2',
};
const changed = (lastUpdatedStartTime: string, lastUpdatedEndTime: string) => ({
  lastUpdatedStartTime,
  lastUpdatedEndTime,
  itemsPerPage: '100',
});
const line = `[waiver 01980f7e-waiver-1@${bookingId}] updated 2027-06-11 [end]`;
const lineWith = (answers: string) => line.replace('[end]', `· ${answers} [end]`);
const samsAddress = '/customers/4155500C1/linkedpeople/4155500L7';
const samWith = (value: string) => ({
  firstName: 'Sam',
  lastName: 'de Wit',
  emailAddress: 'sam@example.com',
  phoneNumbers: [],
  dateOfBirth: '2014-08-30',
  customFields: [{ id: 'CF1', name: 'Waiver', value }],
});
const writeSam = (value: string, status = 200) => ({
  request: { method: 'PUT', path: samsAddress, body: samWith(value) } as const,
  answer: { status, body: status === 200 ? {} : { httpStatus: status, message: 'no' } },
});
/** The booking read again, with another value in Sam's waiver field wherever he takes part. */
function readSam(name: string, value: string) {
  const { participants, ...booking } = fixture(name);
  const { details, ...places } = Object(participants);
  const people = details.map((place: Readonly<Record<string, object>>) =>
    String(place.personId) === '4155500L7'
      ? { ...place, personDetails: { ...place.personDetails, customFields: samWith(value).customFields } }
      : place,
  );
  return {
    request: readRequest,
    answer: { body: { ...booking, participants: { ...places, details: people } } },
  };
}
const fill = (value: string, status = 200) => ({
  request: {
    method: 'PUT',
    path: '/bookings/{bookingId}',
    query: { notifyUsers: 'false', notifyCustomer: 'false', mode: 'backend' },
    body: {
      eventId: '4155RAFT_2027-06-14',
      customerId: '4155500C1',
      productId: '4155RAFT',
      options: [{ id: 'O1', name: 'Wetsuit', value: 'true' }],
      participants: {
        numbers: [{ peopleCategoryId: 'Cadults', number: 2 }],
        details: [
          { personId: 'PUNKNOWN', peopleCategoryId: 'Cadults', categoryIndex: 1 },
          {
            personId: 'PNEW',
            peopleCategoryId: 'Cadults',
            categoryIndex: 2,
            personDetails: {
              firstName: 'Ana María',
              lastName: 'Soto',
              customFields: [{ name: 'Waiver', value }],
            },
          },
        ],
      },
    },
  } as const,
  answer: { status, body: status === 200 ? {} : { httpStatus: status, message: 'no' } },
});
const contact = {
  firstName: 'Noor',
  lastName: 'Haddad',
  languageCode: 'nl',
  acceptSmsReminders: false,
};
/** The customer holds a place, with fewer details as a participant than in the customer record. */
const customerTakesPartWith = (value: string) => ({
  ...fixture('two-people'),
  customer: {
    id: '4155500C1',
    ...contact,
    customFields: [{ id: 'cf1', name: 'Waiver', value }],
  },
  participants: {
    numbers: [{ peopleCategoryId: 'Cadults', number: 1 }],
    details: [
      {
        personId: 'PSELF',
        peopleCategoryId: 'Cadults',
        categoryIndex: 1,
        personDetails: { id: '4155500C1', firstName: 'Noor', lastName: 'Haddad' },
      },
    ],
  },
});
const asSam = { bookingGuestId: 'Cchildren-1' };

/** Bookeo's API v2 as documented, with our own bodies. */
const types = ['created', 'updated', 'deleted'];
const hookTo = (url: string) => (type: string) => ({ id: `bookings-${type}`, url, domain: 'bookings', type });
const payments = { id: 'p', url: 'https://other.example/', domain: 'payments', type: 'created' };
const hooks = (...data: object[]): NativeExchange => ({
  request: { method: 'GET', path: '/webhooks' },
  answer: { body: { data, info: { totalItems: data.length } } },
});
const create = (type: string): NativeExchange => ({
  request: { method: 'POST', path: '/webhooks', body: { url: webhookUrl, domain: 'bookings', type } },
  answer: { status: 201, body: {} },
});

const message = (id: string, body: object, headers: Readonly<Record<string, string>> = {}): NativeCall => ({
  headers: { 'x-bookeo-messageid': id, ...headers },
  body: { timestamp: '2027-06-02T09:00:00Z', ...body },
});

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
    {
      name: 'a line is added below what staff wrote',
      waiver: asSam,
      exchanges: [
        read('two-people'),
        writeSam(`Paper waiver on file\n${line}`),
        readSam('two-people', `Paper waiver on file\n${line}`),
      ],
      expected: { warnings: [] },
    },
    {
      name: 'Bookeo stores other line ends',
      waiver: { ...asSam, diet: '' },
      exchanges: [
        read('two-people'),
        writeSam(`Paper waiver on file\n${lineWith('diet:')}`),
        readSam('two-people', `Paper waiver on file\r\n${lineWith('diet:')}\r\n`),
      ],
      expected: { warnings: [] },
    },
    {
      name: 'the former line is still there after an update',
      waiver: asSam,
      exchanges: [
        readSam('two-people', lineWith('diet: vegan')),
        writeSam(line),
        readSam('two-people', lineWith('diet: vegan')),
      ],
      expected: { notWritten: /does not show the waiver/ },
    },
    {
      name: 'a person who is not shown any more after the change',
      waiver: asSam,
      exchanges: [read('two-people'), writeSam(`Paper waiver on file\n${line}`), read('unreadable-person')],
      expected: { notWritten: /does not show the waiver/ },
    },
    {
      name: 'the answer to the second read is no booking',
      waiver: asSam,
      exchanges: [
        read('two-people'),
        writeSam(`Paper waiver on file\n${line}`),
        { ...read('two-people'), answer: { body: {} } },
      ],
      expected: { code: 'invalid_booking_response' },
    },
    {
      name: 'a void removes the line of a person',
      waiver: { ...asSam, deleted: true },
      exchanges: [
        readSam('two-people', `Paper waiver on file\n${line}`),
        writeSam('Paper waiver on file'),
        read('two-people'),
      ],
      expected: { warnings: [] },
    },
    {
      name: 'the place is gone, and Bookeo leaves the line with who held it',
      waiver: { bookingGuestId: 'Cguides-1' },
      exchanges: [readSam('two-people', line), writeSam(''), readSam('two-people', line)],
      expected: { notWritten: /no place "Cguides-1" in the booking$/ },
    },
    {
      name: 'one person in two places has one line',
      waiver: { bookingGuestId: 'Cadults-1' },
      exchanges: [
        read('one-person-in-two-places'),
        writeSam(`Paper waiver on file\n${line}`),
        readSam('one-person-in-two-places', `Paper waiver on file\n${line}`),
      ],
      expected: { warnings: [] },
    },
    {
      name: 'a customer who takes part keeps what only a customer has',
      waiver: { bookingGuestId: 'Cadults-1' },
      exchanges: [
        { ...read('two-people'), answer: { body: customerTakesPartWith('In the folder') } },
        {
          request: {
            method: 'PUT',
            path: '/customers/4155500C1',
            body: {
              ...contact,
              customFields: [{ id: 'cf1', name: 'Waiver', value: `In the folder\n${line}` }],
            },
          },
          answer: { body: {} },
        },
        { ...read('two-people'), answer: { body: customerTakesPartWith(`In the folder\n${line}`) } },
      ],
      expected: { warnings: [] },
    },
    ...[false, true].map((deleted) => ({
      name: `a customer of whom only the participant’s details are shown is not changed: ${deleted}`,
      waiver: { bookingGuestId: 'Cadults-1', deleted },
      exchanges: [
        {
          ...read('two-people'),
          answer: { body: { ...customerTakesPartWith('In the folder'), customer: undefined } },
        },
      ] as const,
      expected: { notWritten: /read and change customers and linked people/ },
    })),
    ...[{}, { bookingNumber: bookingId }, { httpStatus: 500, message: 'later' }].map((answer) => ({
      name: `a void is not accepted where the answer is no booking: ${JSON.stringify(answer)}`,
      waiver: { ...asSam, deleted: true },
      exchanges: [{ ...read('two-people'), answer: { body: answer } }] as const,
      expected: { code: 'invalid_booking_response' } as const,
    })),
    {
      name: 'a void of a waiver that was never written changes nothing',
      waiver: { ...asSam, deleted: true },
      exchanges: [read('two-people')],
      expected: { warnings: [] },
    },
    {
      name: 'an empty place gets a new person, and no one is notified',
      waiver: { bookingGuestId: 'Cadults-2', name: 'Ana María Soto' },
      exchanges: [read('unknown-people'), fill(lineWith('name: Ana María Soto')), read('filled-place')],
      expected: { warnings: [] },
    },
    {
      name: 'an unintended change is a warning: filled-place-other-price',
      waiver: { bookingGuestId: 'Cadults-2', name: 'Ana María Soto' },
      exchanges: [
        read('unknown-people'),
        fill(lineWith('name: Ana María Soto')),
        read('filled-place-other-price'),
      ],
      expected: { warnings: ['waiver_partly_written'] },
    },
    {
      name: 'Bookeo refuses the change',
      waiver: { bookingGuestId: 'Cadults-2', name: 'Ana María Soto' },
      exchanges: [read('unknown-people'), fill(lineWith('name: Ana María Soto'), 400)],
      expected: { code: 'waiver_rejected', retry: 'three-attempts' },
    },
    {
      name: 'a person whom our key may not see is not changed',
      waiver: asSam,
      exchanges: [read('unreadable-person')],
      expected: { notWritten: /read and change customers and linked people/ },
    },
    {
      name: 'a void that cannot be carried out is not accepted',
      waiver: { ...asSam, deleted: true },
      exchanges: [read('unreadable-person')],
      expected: { notWritten: /read and change customers and linked people/ },
    },
    ...([400, 404, 410, 422] as const).map((status) => ({
      name: `the change is refused with ${status}`,
      waiver: asSam,
      exchanges: [read('two-people'), writeSam(`Paper waiver on file\n${line}`, status)] as const,
      expected: {
        code: 'waiver_rejected',
        retry: status === 410 ? 'never' : status === 404 ? 'schedule' : 'three-attempts',
      } as const,
    })),
    {
      name: 'the booking is gone',
      exchanges: [{ request: readRequest, answer: { status: 404, body: { httpStatus: 404 } } }],
      expected: { code: 'waiver_rejected', retry: 'schedule' },
    },
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
      name: 'two pages, with a booking that cannot be read',
      from: '2027-06-14T00:00:00.000Z',
      until: '2027-06-15T00:00:00.000Z',
      limit: 2,
      pages: [
        {
          exchanges: [
            listed(period, [fixture('two-people'), fixture('no-start')], {
              currentPage: 1,
              totalPages: 2,
              pageNavigationToken: 't1',
            }),
          ],
          bookings: [
            { bookingId, booking: twoPeople },
            { bookingId, isUnreadable: true },
          ],
        },
        {
          exchanges: [
            listed({ ...period, pageNavigationToken: 't1', pageNumber: '2' }, [], {
              currentPage: 2,
              totalPages: 2,
            }),
          ],
          bookings: [],
        },
      ],
    },
  ],
  changes: [
    { now: '2027-05-01T08:00:00.000Z', exchanges: [], bookingIds: [], hasMore: false },
    {
      now: '2027-06-14T08:00:00.000Z',
      exchanges: [
        listed(changed('2027-05-01T07:59:00.000Z', '2027-06-01T07:59:00.000Z'), [fixture('two-people')], {
          currentPage: 1,
          totalPages: 2,
          pageNavigationToken: 't2',
        }),
      ],
      bookingIds: [bookingId],
      hasMore: true,
    },
    {
      now: '2027-06-14T08:00:00.000Z',
      exchanges: [
        listed(
          {
            ...changed('2027-05-01T07:59:00.000Z', '2027-06-01T07:59:00.000Z'),
            pageNavigationToken: 't2',
            pageNumber: '2',
          },
          [],
          { currentPage: 2, totalPages: 2 },
        ),
      ],
      bookingIds: [],
      hasMore: true,
    },
    {
      now: '2027-06-14T08:00:00.000Z',
      exchanges: [listed(changed('2027-06-01T07:59:00.000Z', '2027-06-14T08:00:00.000Z'), [], {})],
      bookingIds: [],
      hasMore: false,
    },
    {
      now: '2027-06-14T09:00:00.000Z',
      exchanges: [listed(changed('2027-06-14T07:59:00.000Z', '2027-06-14T09:00:00.000Z'), [], {})],
      bookingIds: [],
      hasMore: false,
    },
  ],
  access: [
    {
      request: { method: 'GET', path: '/settings/apikeyinfo' },
      answer: { body: { permissions: ['bookings_r_all'] } },
    },
  ],
  webhooks: {
    register: [hooks(payments), ...types.map(create), hooks(payments, ...types.map(hookTo(webhookUrl)))],
    registerAgain: [hooks(payments, ...types.map(hookTo(webhookUrl)))],
    move: [
      hooks(...types.map(hookTo(formerWebhookUrl))),
      ...types.map(create),
      hooks(...types.map(hookTo(webhookUrl))),
    ],
    unregister: [
      hooks(payments, hookTo(webhookUrl)('created'), hookTo('https://other.example/')('updated')),
      {
        request: { method: 'DELETE', path: '/webhooks/bookings-created' },
        answer: { body: {} },
      },
    ],
    unregisterAgain: [hooks(payments)],
  },
};
