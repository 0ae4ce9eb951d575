import { slow, type VendorJourney } from '@waiver-service/simulator';
import { rezdyBooking, type SimulatedRezdy, startRezdy } from '../simulator/index.ts';

const { orderNumber } = rezdyBooking;

const journey: VendorJourney<SimulatedRezdy> = {
  installName: 'rezdy',
  start: () => startRezdy({ apiKey: 'rezdy-key', alsoChangeable: ['internalNotes'] }),
  account: { accountId: 'sails', apiKey: 'rezdy-key', timeZone: 'Australia/Sydney' },
  bookingId: orderNumber,
  read: {
    booking: {
      id: orderNumber,
      status: 'CONFIRMED',
      contact: { name: 'Mele Tupou', email: 'mele@example.com', phoneNumber: '+61255501234' },
      pax: 2,
      notes: 'Vegetarian',
    },
    guests: [
      { bookingGuestId: '1-1', prefill: {}, signed: false },
      { bookingGuestId: '1-2', prefill: {}, signed: false },
    ],
  },
  warnings: ['guest_without_name'],
  move: (system) => {
    const times = { startTime: '2027-06-13T07:00:00Z', endTime: '2027-06-13T09:00:00Z' };
    system.put({ ...rezdyBooking, items: rezdyBooking.items.map((item) => ({ ...item, ...times })) });
  },
  announce: (system, url) => system.announce(url, orderNumber),
  record: {
    slowDown: (system) => system.faults.always('write', slow),
    guestIds: ['1-1', '1-2'],
    lines: (system) => system.bookings.get(orderNumber)?.internalNotes?.split('\n') ?? [],
    staffWrote: ['Paid in cash'],
    rest: (system) => {
      const { items = [], ...booking } = { ...system.bookings.get(orderNumber), internalNotes: '' };
      const others = items.map(({ participants = [], ...item }) => [item, participants.slice(1)]);
      return { ...booking, items: others };
    },
    name: (system) =>
      system.bookings
        .get(orderNumber)
        ?.items[0]?.participants?.[0]?.fields.filter(({ label }) => label.endsWith(' Name'))
        .map(({ value }) => value)
        .join(' '),
  },
};

export default journey;
