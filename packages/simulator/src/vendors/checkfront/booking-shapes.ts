import type { CheckfrontBooking } from './checkfront-booking.ts';

const envelope = (resource: string, id: string) => ({
  version: '3.0',
  account_id: 1,
  host_id: 'tours.checkfront.com',
  request: { status: 'OK', resource, id, records: 1, limit: 0, page: 1, pages: 1 },
});

/** The answer of `booking/{code}`: numbers as numbers, items by line id. */
export function writeDetail({ code, number, status, customer, items }: CheckfrontBooking) {
  const lines = items.map(({ sku, name, start, end, quantity }, index) => [
    index + 1,
    { sku, name, category_id: 2, start_date: start ?? 0, end_date: end ?? 0, qty: quantity },
  ]);
  return {
    ...envelope('booking', code),
    booking: {
      id: code,
      booking_id: number,
      status_id: status,
      customer_name: customer.name,
      customer_email: customer.email,
      customer_phone: customer.phone,
      items: Object.fromEntries(lines),
    },
  };
}

/** The answer of `booking/index`: by number, without a telephone and without times. */
export function writeIndex(bookings: Iterable<CheckfrontBooking>) {
  const entries = [...bookings].map(({ code, number, status, customer, items }) => [
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
  return { ...envelope('booking', 'index'), 'booking/index': Object.fromEntries(entries) };
}

const text = (value: number | string | undefined) => (value === undefined ? {} : String(value));

/** The body of the webhook: everything a text, an empty element an object, one item no list. */
export function writeWebhook({ code, number, status, customer, items }: CheckfrontBooking) {
  const written = items.map(({ sku, start, end, quantity }, index) => ({
    '@attributes': { line_id: String(index + 1), item_id: String(index + 10) },
    sku,
    slip: {},
    start_date: text(start),
    end_date: text(end),
    qty: text(quantity),
  }));
  return {
    '@attributes': { version: '3.0', host: 'tours.checkfront.com' },
    booking: {
      '@attributes': { booking_id: String(number) },
      code,
      status,
      customer: { ...customer, region: {} },
      order: {
        '@attributes': { currency_id: 'EUR' },
        items: { item: written.length === 1 ? written[0] : written },
      },
    },
  };
}
