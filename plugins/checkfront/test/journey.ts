import { slow, type VendorJourney } from '@waiver-service/simulator';
import { checkfrontBooking, type SimulatedCheckfront, startCheckfront } from '../simulator/index.ts';

const booking = checkfrontBooking();
const keys = { apiKey: 'api-key', apiSecret: 'api:secret' };
const [tour, ...others] = booking.items;

const journey: VendorJourney<SimulatedCheckfront> = {
  installName: 'checkfront',
  async start() {
    const system = await startCheckfront(keys);
    system.addNote(booking.code, 'Call first.');
    return system;
  },
  account: { accountId: 7, ...keys },
  bookingId: booking.code,
  read: {
    booking: {
      id: booking.code,
      status: 'PAID',
      contact: { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' },
      pax: 3,
    },
    // No guest has a name: the booker may be pre-filled instead.
    guests: [],
    booker: { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' },
  },
  warnings: ['item_skipped', 'session_incomplete'],
  move: (system) => {
    const start = Date.parse('2027-06-13T07:00:00Z') / 1000;
    const moved = tour ? [{ ...tour, start, end: start + 7200 }] : [];
    system.put({ ...booking, items: [...moved, ...others] });
  },
  // The formats that an account can choose for its hook.
  async announce(system, url) {
    const statuses: number[] = [];
    for (const format of ['xml', 'form', 'json'] as const) {
      statuses.push(await system.announce(url, booking.code, format));
    }
    return statuses.find((status) => status !== 200) ?? 200;
  },
  record: {
    slowDown: (system) => system.faults.always('note', slow),
    guestIds: [undefined, undefined],
    lines: (system) => system.notes.map(({ body }) => body),
    staffWrote: ['Call first.'],
    rest: (system) => system.bookings.get(booking.code),
    onlyAdds: true,
  },
};

export default journey;
