import type { VendorJourney } from '@waiver-service/simulator';
import { type SimulatedZaui, startZaui, zauiBooking } from '../simulator/index.ts';

const guestIds = ['a1000000-8b9e-4d6e-a1a4-54f20b5a9001', 'a2000000-8b9e-4d6e-a1a4-54f20b5a9001'];

const journey: VendorJourney<SimulatedZaui> = {
  installName: 'zaui',
  start: () => startZaui({ apiKey: 'zaui-key' }),
  account: { accountId: 'whales', apiKey: 'zaui-key' },
  bookingId: zauiBooking.uuid,
  read: {
    booking: {
      id: zauiBooking.uuid,
      status: 'CONFIRMED',
      contact: { name: 'Siân Ó Briain', email: 'sian@example.com', phoneNumber: '+1 604 555 0100' },
      pax: 5,
      notes: 'Seasick once',
    },
    guests: guestIds.map((bookingGuestId) => ({ bookingGuestId, prefill: {}, signed: false })),
  },
  warnings: ['guest_without_name'],
  move: (system) =>
    system.put({
      ...zauiBooking,
      availability: {
        ...zauiBooking.availability,
        localDateTimeStart: '2027-06-13T00:00:00-07:00',
        localDateTimeEnd: '2027-06-13T03:00:00-07:00',
      },
    }),
};

export default journey;
