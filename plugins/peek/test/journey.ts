import type { VendorJourney } from '@waiver-service/simulator';
import { peekBooking, type SimulatedPeek, startPeek } from '../simulator/index.ts';

const { uuid } = peekBooking;
const guestIds = ['b1000000-8b9e-4d6e-a1a4-54f20b5a7001', 'b2000000-8b9e-4d6e-a1a4-54f20b5a7001'];

const journey: VendorJourney<SimulatedPeek> = {
  installName: 'peek',
  start: () => startPeek({ apiKey: 'peek-key' }),
  account: { accountId: 'canoes', apiKey: 'peek-key' },
  bookingId: uuid,
  read: {
    booking: {
      id: uuid,
      status: 'CONFIRMED',
      contact: { name: 'Zoë Castañeda', email: 'zoe@example.com', phoneNumber: '+1 503 555 0100' },
      pax: 5,
      notes: 'Brings a dog',
    },
    guests: guestIds.map((bookingGuestId) => ({ bookingGuestId, prefill: {}, signed: false })),
  },
  warnings: ['guest_without_name'],
  move: (system) =>
    system.put({
      ...peekBooking,
      availability: {
        ...peekBooking.availability,
        localDateTimeStart: '2027-06-13T00:00:00-07:00',
        localDateTimeEnd: '2027-06-13T02:00:00-07:00',
      },
    }),
  announce: (system, url) => system.announce(url, uuid),
  webhookUrls: (system) => system.webhooks.map(({ url }) => url),
};

export default journey;
