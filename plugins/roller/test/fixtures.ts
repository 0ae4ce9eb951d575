import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

const paid = read('paid');
const [family] = paid.items;
const [named] = family.tickets;
/** One jump, booked as `family` is, with one ticket. */
const jump = {
  ...family,
  quantity: 1,
  tickets: [{ ticketId: named.ticketId, ticketHolderName: named.ticketHolderName }],
};
const [ticket] = jump.tickets;

const changed = (changes: object) => ({ ...paid, ...changes });
const items = (...of: readonly object[]) => changed({ items: of });
const oneJump = (changes: object) => items({ ...jump, ...changes });

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, JsonObject>> = JSON.parse(
  JSON.stringify({
    cancelled: changed({ status: 'Cancelled' }),
    'cancelled-without-items': changed({ status: 'Cancelled', items: null }),
    'without-owner': changed({
      channel: 'POS',
      name: 'Walk-in',
      customerId: null,
      comments: '',
      source: 'POS',
    }),
    'start-time': oneJump({ startTime: '10:30', sessionStartTime: undefined }),
    'time-out-of-the-clock': oneJump({ sessionStartTime: '25:00' }),
    'clocks-go-back': oneJump({
      ...{ bookingDate: '2027-04-04', bookingEndDate: '2027-04-04' },
      ...{ sessionStartTime: '01:30', sessionEndTime: '03:30' },
    }),
    'ends-at-midnight': oneJump({ sessionStartTime: '22:30', sessionEndTime: '00:00' }),
    'ends-when-it-starts': oneJump({ sessionEndTime: '10:30' }),
    'past-midnight': oneJump({ sessionStartTime: '23:00', sessionEndTime: '01:30' }),
    'day-pass': oneJump({
      ...{ productId: 99601, bookingEndDate: '2027-07-04', sessionStartTime: null, sessionEndTime: null },
    }),
    membership: oneJump({
      ...{ productId: 99801, bookingEndDate: '2028-07-02', sessionStartTime: null, sessionEndTime: null },
      tickets: [{ ...ticket, membershipStatus: 'Current' }],
    }),
    'replaced-field-names': oneJump({
      tickets: [{ ticketId: ticket.ticketId, name: 'Noor Haddad', externalTicketId: 'band-16' }],
    }),
    'ticket-without-an-id': oneJump({ tickets: [{ ...ticket, ticketId: undefined }] }),
    'lists-as-objects': changed({ items: { ...jump, tickets: ticket } }),
    'without-tickets': items({ ...family, tickets: undefined }),
    'fewer-tickets-than-quantity': items({ ...family, quantity: 3 }),
    'group-pass-without-tickets': items({ ...family, productId: 99503, tickets: undefined }),
    'group-pass': oneJump({
      productId: 99503,
      tickets: [
        ticket,
        ...[2, 3, 7].map((number) => ({ ticketId: `77120345-4000${number}`, ticketHolderName: null })),
      ],
    }),
    'open-dated': items(family, {
      ...jump,
      ...{ bookingItemId: 881009, productId: 99601 },
      ...{ bookingDate: null, bookingEndDate: null, sessionStartTime: null, sessionEndTime: null },
      tickets: [{ ticketId: '77120345-40009', ticketHolderName: null }],
    }),
  }),
);

export const anyFixture = (name: string): unknown => variants[name] ?? read(name);

export const fixture = (name: string): JsonObject => expectObject(anyFixture(name));
