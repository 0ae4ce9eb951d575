import { slow, type VendorJourney } from '@waiver-service/simulator';
import { type RollerBooking, rollerBooking, type SimulatedRoller, startRoller } from '../simulator/index.ts';

const credentials = { clientId: 'venue-client', clientSecret: 'venue-secret-1' };
const { uniqueId } = rollerBooking;
const guestIds = ['91004417-88001', '91004417-88002'] as const;

function bookingIn({ bookings }: SimulatedRoller): RollerBooking {
  const booking = bookings.get(uniqueId);
  if (booking === undefined) throw new Error(`there is no booking ${uniqueId}`);
  return booking;
}

const holdersIn = (system: SimulatedRoller) =>
  bookingIn(system).items.flatMap(({ tickets }) => tickets.map((ticket) => ticket.ticketHolderName));

const journey: VendorJourney<SimulatedRoller> = {
  installName: 'roller',
  start: () => startRoller({ ...credentials, isHttpTaken: true }),
  account: { accountId: 20711, apiKey: credentials.clientSecret, clientId: credentials.clientId },
  bookingId: uniqueId,
  read: {
    booking: {
      id: uniqueId,
      status: 'Paid',
      contact: { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' },
      pax: 2,
      notes: 'Cake arrives at ten.',
      bookedSessions: [
        {
          startsAt: '2027-06-12T07:30:00Z',
          endsAt: '2027-06-12T09:00:00Z',
          activityId: '500',
          activityName: '90 Minute Jump',
        },
      ],
    },
    guests: [
      { bookingGuestId: guestIds[0], prefill: {}, signed: false },
      { bookingGuestId: guestIds[1], prefill: { name: 'Ægir Þórsson' }, signed: false },
    ],
  },
  warnings: ['guest_without_name', 'item_skipped'],
  move: (system) => {
    const [jump, ...others] = bookingIn(system).items;
    const moved = { bookingDate: '2027-06-13', bookingEndDate: '2027-06-13', sessionStartTime: '09:00' };
    system.put({ ...bookingIn(system), items: [...(jump ? [{ ...jump, ...moved }] : []), ...others] });
  },
  announce: (system, url) => system.announce(url, uniqueId),
  webhookUrls: (system) => system.webhooks.all.map(({ configuration }) => String(configuration.url)),
  record: {
    slowDown: (system) => system.faults.always('update', slow),
    guestIds,
    lines: (system) => Object.values(bookingIn(system).metadata),
    staffWrote: ['partner-portal'],
    rest: (system) => {
      const { metadata: _lines, items, ...booking } = bookingIn(system);
      const others = items.map(({ tickets, ...item }) => ({
        ...item,
        tickets: tickets.map(({ ticketHolderName, ...ticket }) =>
          ticket.ticketId === guestIds[0] ? ticket : { ...ticket, ticketHolderName },
        ),
      }));
      return { ...booking, items: others };
    },
    name: (system) => holdersIn(system)[0],
  },
};

export default journey;
