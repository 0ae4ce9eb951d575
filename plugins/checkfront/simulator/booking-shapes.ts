import type { CheckfrontBooking, CheckfrontItem } from './checkfront-booking.ts';

const envelope = (resource: string, id: string) => ({
  version: '3.0',
  account_id: 1,
  host_id: 'tours.checkfront.com',
  request: { status: 'OK', resource, id, records: 1, limit: 0, page: 1, pages: 1 },
});

const lineOf = ({ line }: CheckfrontItem, index: number) => line ?? String(index + 1);

function writeParameters({ parameters }: CheckfrontItem) {
  // PHP serializes an object without fields as an empty list.
  if (parameters === undefined) return [];
  return Object.fromEntries(Object.entries(parameters).map(([id, qty]) => [id, { lbl: id, qty }]));
}

/** The response of `booking/{code}`: numbers as numbers, items by line id. */
export function writeDetail({ code, number, status, customer, items, start, end }: CheckfrontBooking) {
  const lines = items.map((item, index) => [
    lineOf(item, index),
    {
      sku: item.sku,
      name: item.name,
      category_id: 2,
      status_id: item.status ?? status,
      start_date: item.start ?? 0,
      end_date: item.end ?? 0,
      qty: item.quantity,
      param: writeParameters(item),
    },
  ]);
  return {
    ...envelope('booking', code),
    booking: {
      id: code,
      booking_id: number,
      status_id: status,
      ...(start === undefined ? {} : { start_date: start, end_date: end }),
      customer_name: customer.name,
      customer_email: customer.email,
      customer_phone: customer.phone,
      items: Object.fromEntries(lines),
    },
  };
}

/** A page of `booking/index`: by number, without telephone and times. */
export function writeIndex(
  bookings: readonly CheckfrontBooking[],
  { limit, page }: { readonly limit: number; readonly page: number },
) {
  const shown = bookings.slice((page - 1) * limit, page * limit);
  const entries = shown.map(({ code, number, status, customer, items }) => [
    number,
    {
      booking_id: number,
      code,
      status_id: status,
      customer_name: customer.name,
      customer_email: customer.email,
      summary: items.map(({ name }) => name).join(', '),
    },
  ]);
  const { request, ...others } = envelope('booking', 'index');
  const pages = Math.max(1, Math.ceil(bookings.length / limit));
  return {
    ...others,
    request: { ...request, records: shown.length, total_records: bookings.length, limit, page, pages },
    'booking/index': shown.length === 0 ? [] : Object.fromEntries(entries),
  };
}

const text = (value: number | string | undefined) => (value === undefined ? {} : String(value));

/** The body of the JSON webhook: every value a text, an empty element an object, a single item not a list, no parameters. */
export function writeWebhook({ code, number, status, customer, items, start, end }: CheckfrontBooking) {
  const written = items.map((item, index) => ({
    '@attributes': { line_id: lineOf(item, index), item_id: String(index + 10) },
    sku: item.sku,
    slip: {},
    start_date: text(item.start),
    end_date: text(item.end),
    status: item.status ?? status,
    qty: text(item.quantity),
  }));
  return {
    '@attributes': { version: '3.0', host: 'tours.checkfront.com' },
    booking: {
      '@attributes': { booking_id: String(number) },
      code,
      status,
      start_date: text(start),
      end_date: text(end),
      customer: { ...customer, region: {} },
      order: {
        '@attributes': { currency_id: 'EUR' },
        items: { item: written.length === 1 ? written[0] : written },
      },
    },
  };
}
