import { slow, type VendorJourney } from '@waiver-service/simulator';
import { fareHarborBooking, type SimulatedFareHarbor, startFareHarbor } from '../simulator/index.ts';

const booking = fareHarborBooking();
const keys = { appKey: 'app-key-1', userKey: 'user-key-1', shortname: 'tyrolrafting' };

const journey: VendorJourney<SimulatedFareHarbor> = {
  installName: 'fareharbor',
  start: () => startFareHarbor(keys),
  settings: { appKey: keys.appKey, guestNameField: 'Full name' },
  account: { accountId: 7, apiKey: keys.userKey, shortname: keys.shortname },
  bookingId: booking.uuid,
  read: {
    booking: {
      id: booking.uuid,
      status: 'booked',
      contact: { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43512123456' },
      pax: 2,
      notes: 'Arrives by train.',
    },
    guests: [
      { bookingGuestId: '900001', prefill: { name: 'Zoë Bäcker' }, signed: false },
      { bookingGuestId: '900002', prefill: {}, signed: false },
    ],
  },
  warnings: ['guest_without_name'],
  move: (system) => {
    const availability = { ...Object(booking.availability), start_at: '2027-06-13T09:00:00+0200' };
    system.put({ ...booking, availability });
  },
  announce: (system, url) => system.announce(url, booking.uuid),
  record: {
    slowDown: (system) => system.faults.always('note', slow),
    guestIds: ['900001', '900002'],
    lines: (system) => system.bookings.get(booking.uuid)?.note?.split('\n') ?? [],
    staffWrote: ['Arrives by train.'],
    rest: (system) => ({ ...system.bookings.get(booking.uuid), note: null }),
  },
};

export default journey;
