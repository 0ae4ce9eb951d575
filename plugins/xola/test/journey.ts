import type { VendorJourney } from '@waiver-service/simulator';
import { type SimulatedXola, startXola, xolaOrder } from '../simulator/index.ts';

const guestIds = ['6440f1a2b3c4d5e6f7a8b9a1', '6440f1a2b3c4d5e6f7a8b9a2'];

const webhookSecret = 'secret-of-the-app-at-xola';

const journey: VendorJourney<SimulatedXola> = {
  installName: 'xola',
  start: () => startXola({ apiKey: 'seller-key' }),
  settings: { webhookSecret },
  account: { accountId: xolaOrder.seller.id, apiKey: 'seller-key', durationMinutes: 120 },
  bookingId: xolaOrder.id,
  read: {
    booking: {
      id: xolaOrder.id,
      status: '200',
      contact: { name: 'Siobhán Ní Dhúill', email: 'siobhan@example.com', phoneNumber: '+353 1 555 0100' },
      pax: 4,
      notes: 'Arrives by bus',
    },
    guests: guestIds.map((bookingGuestId) => ({ bookingGuestId, prefill: {}, signed: false })),
  },
  warnings: ['guest_without_name'],
  move: (system) => {
    const [first, ...others] = xolaOrder.items;
    const moved = first ? [{ ...first, arrivalDatetime: '2027-06-13T08:00:00+01:00' }] : [];
    system.put({ ...xolaOrder, items: [...moved, ...others] });
  },
  announce: (system, url) =>
    system.announce(`${url}?secret=${webhookSecret}`, 'order.update', system.orders.get(xolaOrder.id)),
  announceForged: (system, url) =>
    system.announce(`${url}?secret=${webhookSecret}-`, 'order.update', system.orders.get(xolaOrder.id)),
};

export default journey;
