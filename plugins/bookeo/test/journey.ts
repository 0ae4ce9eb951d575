import { slow, type VendorJourney } from '@waiver-service/simulator';
import { bookeoBooking, bookeoCustomer, type SimulatedBookeo, startBookeo } from '../simulator/index.ts';

const keys = { apiKey: 'account-key', secretKey: 'application-key' };
const { bookingNumber, customerId } = bookeoBooking;
const detailsOf = (system: SimulatedBookeo) => system.bookings.get(bookingNumber)?.participants.details ?? [];
/** The holder of the place that is vacant at first. */
const signer = (system: SimulatedBookeo) => system.person(customerId, detailsOf(system)[1]?.personId);
const known = (system: SimulatedBookeo) =>
  [system.person(customerId), system.person(customerId, '4155700L1')].map((person) => ({ ...person }));

const journey: VendorJourney<SimulatedBookeo> = {
  installName: 'bookeo',
  start: () => startBookeo(keys),
  settings: { secretKey: keys.secretKey },
  account: { accountId: '4155', apiKey: keys.apiKey, waiverField: 'Waiver' },
  bookingId: bookingNumber,
  read: {
    booking: { id: bookingNumber, status: 'accepted', contact: { name: 'Zoë Bäcker' }, pax: 3 },
    guests: [
      {
        bookingGuestId: 'Cadults-1',
        prefill: { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' },
      },
      { bookingGuestId: 'Cadults-2', prefill: {} },
      { bookingGuestId: 'Cchildren-1', prefill: { name: 'Ægir Þórsson' } },
    ],
  },
  warnings: ['guest_without_name'],
  move: (system) =>
    system.put({
      ...bookeoBooking,
      startTime: '2027-06-13T09:00:00+02:00',
      endTime: '2027-06-13T12:30:00+02:00',
    }),
  announce: (system, url) => system.announce(url, bookingNumber),
  webhookUrls: (system) => system.webhooks.all.map(({ url }) => url),
  record: {
    slowDown(system) {
      system.faults.always('person', slow);
      system.faults.always('booking', slow);
    },
    guestIds: ['Cadults-2', 'Cchildren-1'],
    lines: (system) =>
      [...known(system), { ...signer(system) }]
        .flatMap(({ customFields = [] }) => customFields)
        .filter(({ name }) => name === 'Waiver')
        .flatMap(({ value }) => (value === '' ? [] : value.split('\n')))
        // All journeys know a line by its waiver alone.
        .map((line) => line.replace(`@${bookingNumber}] `, '] ')),
    staffWrote: [String(bookeoCustomer.person.customFields?.[0]?.value)],
    rest(system) {
      const { participants, ...booking } = { ...system.bookings.get(bookingNumber) };
      const people = known(system).map(({ customFields = [], ...person }) => ({
        ...person,
        customFields: customFields.filter(({ name }) => name !== 'Waiver'),
      }));
      const others = detailsOf(system).filter((_place, index) => index !== 1);
      return { booking, numbers: participants?.numbers, others, people, told: system.notifications };
    },
    name(system) {
      const { firstName, lastName } = signer(system) ?? {};
      return `${firstName} ${lastName}`;
    },
  },
};

export default journey;
