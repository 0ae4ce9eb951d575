import { slow, type VendorJourney } from '@waiver-service/simulator';
import { octoBooking, type SimulatedOcto, startOcto } from '../simulator/index.ts';

const { uuid } = octoBooking;
const [first, second] = [
  '11111111-0b1c-4d53-9c58-2a6f6f6f5501',
  '22222222-0b1c-4d53-9c58-2a6f6f6f5501',
] as const;

const journey: VendorJourney<SimulatedOcto> = {
  installName: 'octo',
  start: () => startOcto({ apiKey: 'octo-key', env: 'test' }),
  settings: { capabilities: ['octo/pricing'], env: 'test', webhooks: true },
  account: { accountId: 'kayaks', apiKey: 'octo-key' },
  bookingId: uuid,
  read: {
    booking: {
      id: uuid,
      status: 'CONFIRMED',
      contact: { name: 'Inês Duarte', email: 'ines@example.com' },
      pax: 2,
      notes: 'Ring the bell twice',
    },
    guests: [
      { bookingGuestId: first, prefill: {}, signed: false },
      { bookingGuestId: second, prefill: {}, signed: false },
    ],
  },
  warnings: ['guest_without_name'],
  move: (system) => {
    const availability = {
      ...Object(octoBooking.availability),
      localDateTimeStart: '2027-06-13T08:00:00+01:00',
    };
    system.put({
      ...octoBooking,
      availability: { ...availability, localDateTimeEnd: '2027-06-13T11:00:00+01:00' },
    });
  },
  announce: (system, url) => system.announce(url, uuid),
  webhookUrls: (system) => system.webhooks.map(({ url }) => url),
  record: {
    slowDown: (system) => system.faults.always('write', slow),
    guestIds: [first, second],
    lines: (system) => system.bookings.get(uuid)?.notes?.split('\n') ?? [],
    staffWrote: ['Ring the bell twice'],
    // Tickets are not reissued either: the installation does not allow changes of unit items.
    rest: (system) => ({ ...system.bookings.get(uuid), notes: null }),
  },
};

export default journey;
