import type { NativeScenarios } from '@waiver-service/contract-suite';
import type { Booking, WarningCode } from '@waiver-service/core';
import { objectsIn } from '@waiver-service/plugin-kit';
import { fixture } from './fixtures.ts';

const bookingId = '64b0c0ffee00000000000001';
const kayak = {
  startsAt: '2027-04-20T07:30:00Z',
  endsAt: '2027-04-20T09:00:00Z',
  activityId: '64b0c0ffee000000000000e1',
  activityName: 'Sea kayaking',
};
const walk = {
  startsAt: '2027-04-21T02:00:00Z',
  endsAt: '2027-04-21T03:30:00Z',
  activityId: '64b0c0ffee000000000000e2',
  activityName: 'Night walk',
};
const guest = (id: string, ticketCode: string) => ({
  id,
  participantType: 'adult',
  demographic: { id: 'adult' },
  ticketCode,
  guestStatus: 'pending',
});
const guests = [guest('64b0c0ffee000000000000a1', 'T-1'), guest('64b0c0ffee000000000000a2', 'T-2')];
const withoutNames: readonly WarningCode[] = ['guest_without_name'];
const oneItem: Booking = {
  id: bookingId,
  status: '200',
  statusGroup: 'active',
  contact: { name: 'Ines Pereira', email: 'ines@example.com', phoneNumber: '+351 21 555 0199' },
  pax: 2,
  guests,
  bookedSessions: [kayak],
};
const body = (name: string, changes: Partial<Booking> = {}, warnings: readonly WarningCode[] = []) => ({
  name,
  body: fixture(name),
  expected: { booking: { ...oneItem, ...changes }, warnings: [...withoutNames, ...warnings] },
});
/** The same booking with only the second item, which has no guests. */
const secondItem = (name: string) => ({
  ...body(name, { status: '201', pax: 3, guests: [], bookedSessions: [walk] }),
  expected: {
    booking: { ...oneItem, status: '201', pax: 3, guests: [], bookedSessions: [walk] },
    warnings: ['item_skipped'] as const,
  },
});

/** Xola's API as documented, with our own bodies. */
export const scenarios: NativeScenarios = {
  bookingId,
  readRequest: {
    method: 'GET',
    path: '/orders/{bookingId}',
    headers: { 'X-API-VERSION': '2020-05-04' },
  },
  bodies: [
    body('one-item'),
    {
      name: 'one-item, of which none was bought',
      body: {
        ...fixture('one-item'),
        items: objectsIn(fixture('one-item').items).map((item) => ({ ...item, quantity: 0, guests: [] })),
      },
      expected: { booking: { ...oneItem, pax: 0, guests: [] }, warnings: ['nobody_expected'] },
    },
    body('two-items-and-notes', {
      pax: 5,
      bookedSessions: [kayak, walk],
      notes: 'Vegetarian lunch\nArrives late',
    }),
    body('cancelled-order', { status: '700', statusGroup: 'cancelled' }),
    secondItem('one-item-cancelled'),
    secondItem('open-dated-item'),
    body('on-hold', { status: '103', statusGroup: 'other' }),
    body('unreserved', { status: '310', statusGroup: 'other' }, ['unknown_status']),
    body('fewer-guests-than-quantity', { pax: 5 }, ['string_as_number', 'count_disagrees']),
    body('empty-contact', { contact: { name: '' } }, ['contact_incomplete']),
    body('status-of-the-order', { status: '700', statusGroup: 'cancelled' }),
    { ...body('one-item', {}, ['id_differs']), name: 'another order', bookingId: '77' },
  ],
  notFound: { status: 404, body: { code: 404, message: 'Not Found' } },
  refusals: [
    { name: 'another seller’s order', answer: { status: 403 }, code: 'booking_system_auth_rejected' },
    ...['only-open-dated', 'arrival-without-zone', 'no-items', 'no-status'].map((name) => ({
      name,
      answer: { body: fixture(name) },
      code: 'invalid_booking_response' as const,
    })),
  ],
  inbound: [
    {
      name: 'a changed order',
      call: { body: fixture('inbound') },
      accountId: '64b0c0ffee000000000000b1',
      bookingIds: [bookingId],
    },
    {
      name: 'an installation is no booking',
      call: { body: fixture('inbound-installation') },
      accountId: '64b0c0ffee000000000000b1',
      bookingIds: [],
    },
    {
      name: 'another seller’s order, whose number is a number',
      call: { body: { eventName: 'order.cancel', data: { id: 7, seller: { id: 12 } } } },
      accountId: '12',
      bookingIds: ['7'],
    },
    {
      name: 'an event that names no seller',
      call: { body: { eventName: 'experience.update', data: { id: 'e1' } } },
      bookingIds: [],
    },
  ],
};
