import { readFileSync } from 'node:fs';

type Body = Readonly<Record<string, unknown>>;

const textOf = (file: string) => readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8');
const read = (name: string) => JSON.parse(textOf(`${name}.json`));

const detail = read('detail');
const { 1: kayak, 2: sunset } = detail.booking.items;
const webhook = read('webhook');
const { customer, order } = webhook.booking;

const changed = (changes: object) => ({ ...detail, booking: { ...detail.booking, ...changes } });
const items = (of: object) => changed({ items: of });
const webhookWith = (changes: object) => ({ ...webhook, booking: { ...webhook.booking, ...changes } });
const webhookItems = (item: object) => ({ order: { ...order, items: { ...order.items, item } } });

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, Body>> = JSON.parse(
  JSON.stringify({
    'detail-cancelled': changed({
      status_id: 'STOP',
      status_name: 'Cancelled',
      items: { 1: { ...kayak, status_id: 'STOP' }, 2: { ...sunset, status_id: 'STOP' } },
    }),
    'detail-cancelled-without-items': changed({ status_id: 'VOID', status_name: 'Void', items: [] }),
    'detail-without-items': items([]),
    'detail-own-fields': changed({
      fields: { customer_name: 'Noor Haddad', request: 'A blue one, please.', diet: '' },
      meta: { note: 'Regular', mobile_device: {} },
    }),
    'detail-own-status-and-nothing-else': changed({
      ...{ status_id: 'DEPOSIT2', customer_name: ' ', customer_email: '', customer_phone: null },
      items: {
        1: { ...kayak, qty: 2, param: undefined },
        2: { sku: null, start_date: sunset.start_date, end_date: null, qty: 1 },
      },
    }),
    'detail-day-item': items({
      1: {
        ...{ sku: 'canoeday', name: 'Canoe for a day', category_id: 5 },
        ...{ start_date: 1813010400, end_date: 1813010400, qty: 1, param: { adults: 1 } },
      },
    }),
    'detail-slot-without-length': items({
      1: {
        ...{ sku: 'tasting', name: 'Tasting', category_id: 5 },
        ...{ start_date: 1812958200, end_date: 1812958200, qty: 1, param: { adults: 1 } },
      },
    }),
    'detail-item-without-time': items({
      1: kayak,
      2: sunset,
      3: { sku: 'giftcard', name: 'Gift card', category_id: 9, start_date: 0, end_date: 0, qty: 4 },
      4: { sku: 'tshirt', name: 'T-shirt', category_id: 9, start_date: '', end_date: null, qty: 1 },
    }),
    'detail-times-of-the-booking': changed({
      start_date: kayak.start_date,
      end_date: String(kayak.end_date),
      items: {
        1: { ...kayak, start_date: undefined, end_date: undefined },
        1.1: { sku: 'lifejacket', name: 'Life jacket', qty: 2 },
        2: { ...sunset, start_date: 0, end_date: '' },
        3: { sku: 'sunhat', name: 'Sun hat', qty: 2 },
      },
    }),
    'detail-quantity-in-parameters': items({
      1: { ...kayak, qty: undefined, param: { adults: 2, children: '1' } },
      2: { ...sunset, qty: undefined, param: { guests: { lbl: 'Guests', qty: '4' } } },
      3: { ...kayak, sku: 'guide', name: 'Private guide', qty: undefined, param: { trailers: 2 } },
      4: { ...kayak, sku: 'shuttle', name: 'Shuttle', qty: '2', param: { trailers: 2 } },
    }),
    'detail-void-line': items({
      1: { ...kayak, status_id: 'PAID' },
      2: { ...sunset, status_id: 'VOID' },
      3: { ...sunset, status: 'STOP' },
    }),
    'detail-boat-with-add-ons': items({
      1: {
        ...{ ...kayak, sku: 'boat8', name: 'Boat for eight', status_id: 'PAID' },
        param: {
          boats: { lbl: 'Boats', qty: 1 },
          a: { lbl: 'Adults (18+)', qty: 5 },
          child512: { lbl: 'Under 12', qty: '2' },
        },
      },
      1.1: {
        ...{ ...kayak, sku: 'lifejacket', name: 'Life jacket', qty: 7, status_id: 'PAID' },
        param: { units: { lbl: 'Units', qty: 7 } },
      },
    }),
    'webhook-without-code': webhookWith({ code: {} }),
    'webhook-without-items': webhookWith(webhookItems({})),
    'webhook-one-item-and-empty-elements': webhookWith({
      customer: { ...customer, email: {}, phone: {} },
      ...webhookItems({
        '@attributes': { line_id: '1', item_id: '6' },
        ...{ start_date: '1812958200', end_date: '1812970800', sku: 'kayakam', slip: {} },
        ...{ status: 'HOLD', qty: '2' },
      }),
    }),
  }),
);

export const fixture = (name: string): Body => variants[name] ?? read(name);

export const xmlFixture = (name: string): string => textOf(`${name}.xml`);
