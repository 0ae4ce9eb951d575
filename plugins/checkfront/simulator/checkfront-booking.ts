/** A booked item; times are Unix seconds. */
export interface CheckfrontItem {
  readonly sku: string;
  readonly name: string;
  /** Absent for an item without a time, such as goods. */
  readonly start?: number;
  readonly end?: number;
  /** Number of units, not people: a boat for eight is one. */
  readonly quantity: number;
  /** Quantities by parameter id, such as `adults`. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** For example `2.1` for an add-on of line 2. Default: its position in the booking. */
  readonly line?: string;
  /** Default: the booking's status. */
  readonly status?: string;
}

/** A guest of API v4. */
export interface CheckfrontGuest {
  readonly uuid: string;
  /** Empty until the guest's form is filled in. */
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export interface CheckfrontBooking {
  readonly code: string;
  readonly number: number;
  readonly status: string;
  /** Unix seconds; default: long ago. */
  readonly lastModified?: number;
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string };
  readonly items: readonly CheckfrontItem[];
  /** Only in API v4. Default: none. */
  readonly guests?: readonly CheckfrontGuest[];
  /** The booking's own times, for items without any. */
  readonly start?: number;
  readonly end?: number;
}

/** A tour for two, a child's bike for a day, and T-shirts. */
export function checkfrontBooking(changes: Partial<CheckfrontBooking> = {}): CheckfrontBooking {
  return {
    code: 'QRST-120627',
    number: 4021,
    status: 'PAID',
    customer: { name: 'Zoë Bäcker', email: 'zoe@example.com', phone: '+43 512 123456' },
    items: [
      {
        sku: 'canyonhalf',
        name: 'Canyoning',
        start: 1812958200,
        end: 1812970800,
        quantity: 1,
        parameters: { adults: 2, children: 0 },
      },
      {
        sku: 'bikeday',
        name: 'Bike for a day',
        start: 1813010400,
        end: 1813010400,
        quantity: 1,
        parameters: { adults: 0, children: 1 },
      },
      { sku: 'shirt', name: 'T-shirt', quantity: 3 },
    ],
    ...changes,
  };
}

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
