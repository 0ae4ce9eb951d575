import type { VendorJourney } from '@waiver-service/simulator';
import { bokunBooking, type SimulatedBokun, startBokun } from '../simulator/index.ts';

const { confirmationCode } = bokunBooking;
const keys = { accessKey: 'bokun-access-key', secretKey: 'bokun-secret-key' };

const journey: VendorJourney<SimulatedBokun> = {
  installName: 'bokun',
  start: () => startBokun({ ...keys, appSecret: 'app-secret' }),
  settings: { appSecret: 'app-secret' },
  account: {
    accountId: 'whales',
    apiKey: keys.accessKey,
    secretKey: keys.secretKey,
    timeZone: 'Atlantic/Azores',
  },
  bookingId: confirmationCode,
  read: {
    booking: {
      id: confirmationCode,
      status: 'CONFIRMED',
      contact: { name: 'Marta Vieira', email: 'marta@example.com', phoneNumber: '+351 21 555 0142' },
      pax: 2,
    },
    guests: [
      { bookingGuestId: '354425801', prefill: { name: 'Marta Vieira' }, signed: false },
      { bookingGuestId: '354425802', prefill: {}, signed: false },
    ],
  },
  warnings: ['guest_without_name'],
  move: (system) => {
    const [first, ...others] = bokunBooking.activityBookings;
    const moved = first ? [{ ...first, date: Date.UTC(2027, 5, 13), startTime: '07:00' }] : [];
    system.put({ ...bokunBooking, activityBookings: [...moved, ...others] });
  },
  // Unsigned calls are refused, whatever their key. The app's webhook names the booking by its other id, the number.
  async announce(system, url) {
    const unsigned = await system.notify(url, confirmationCode);
    return unsigned === 401 ? system.announce(url, confirmationCode) : unsigned;
  },
};

export default journey;
