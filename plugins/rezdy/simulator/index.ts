import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';

type Json = Readonly<Record<string, unknown>>;

/** A field of a participant; without a value it has not been filled in. */
interface RezdyField {
  readonly label: string;
  readonly value?: string;
}

/** A participant; has no id. */
interface RezdyParticipant {
  readonly fields: readonly RezdyField[];
}

/** An item of a booking; additional fields are served unchanged. */
interface RezdyItem extends Json {
  readonly productCode?: string;
  readonly participants?: readonly RezdyParticipant[];
}

/** A booking as Rezdy serves it; additional fields are served unchanged. */
export interface RezdyBooking extends Json {
  readonly orderNumber: string;
  readonly internalNotes?: string;
  readonly items: readonly RezdyItem[];
}

const blank = (barcode: string): RezdyParticipant => ({
  fields: [
    { label: 'Title' },
    { label: 'First Name' },
    { label: 'Last Name' },
    { label: 'Email' },
    { label: 'Date of Birth' },
    { label: 'Barcode', value: barcode },
  ],
});

/** A sunset sail for two people who are not named yet. */
export const rezdyBooking: RezdyBooking = {
  orderNumber: 'R7SAIL1',
  status: 'CONFIRMED',
  supplierId: 311,
  supplierName: 'Bluewater Sailing',
  resellerId: 402,
  resellerReference: 'AG-2027-118',
  resellerComments: 'Table by the mast',
  customer: {
    id: 4401,
    firstName: 'Mele',
    lastName: 'Tupou',
    name: 'Mele Tupou',
    email: 'mele@example.com',
    phone: '+61255501234',
  },
  items: [
    {
      productName: 'Sunset sail',
      productCode: 'PSAIL',
      startTime: '2027-06-12T07:30:00Z',
      endTime: '2027-06-12T09:30:00Z',
      startTimeLocal: '2027-06-12 17:30:00',
      endTimeLocal: '2027-06-12 19:30:00',
      quantities: [{ optionLabel: 'Adult', optionPrice: 89, value: 2 }],
      totalQuantity: 2,
      amount: 178,
      extras: [{ name: 'Picnic', price: 12.5, quantity: 2 }],
      participants: [blank('R7SAIL1-1'), blank('R7SAIL1-2')],
      pickupLocation: { locationName: 'Harbour steps', pickupTime: '16:45' },
    },
  ],
  totalAmount: 178,
  totalCurrency: 'AUD',
  totalPaid: 178,
  payments: [{ type: 'CASH', amount: 178, currency: 'AUD' }],
  fields: [{ label: 'Hotel', value: 'Seaview' }],
  vouchers: ['SAIL10'],
  comments: 'Vegetarian',
  internalNotes: 'Paid in cash',
};

/** A Rezdy error. Even errors have status 200: only the envelope identifies them. */
const refuse = (errorCode: string, errorMessage: string): SimulatedAnswer => ({
  status: 200,
  body: { requestStatus: { success: false, version: 'v1', error: { errorCode, errorMessage } } },
});

// Rezdy refuses a fraction of a second, or a space instead of the T.
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const timeNames = ['minTourStartTime', 'maxTourStartTime', 'updatedSince', 'minDateCreated'] as const;

/** `GET /bookings`: a page of orders. `updatedSince` excludes its own second, and never updated orders. */
function listRezdyBookings(
  asked: URLSearchParams,
  bookings: ReadonlyMap<string, RezdyBooking>,
): SimulatedAnswer {
  const wrong = timeNames.find((name) => asked.has(name) && !time.test(asked.get(name) ?? ''));
  if (wrong !== undefined) return refuse('3', `Invalid Date format: ${wrong}`);
  const [limit, offset] = [Number(asked.get('limit') ?? 100), Number(asked.get('offset') ?? 0)];
  if (!(limit >= 1 && limit <= 100)) return refuse('3', 'limit is 1 to 100');
  const atLeast = (value: unknown, name: (typeof timeNames)[number]) =>
    !asked.has(name) || Date.parse(String(value)) >= Date.parse(asked.get(name) ?? '');
  const startsIn = ({ items }: RezdyBooking) =>
    (!asked.has('minTourStartTime') && !asked.has('maxTourStartTime')) ||
    items.some(
      ({ startTime }) =>
        atLeast(startTime, 'minTourStartTime') &&
        Date.parse(String(startTime)) <= Date.parse(asked.get('maxTourStartTime') ?? '9999-12-31'),
    );
  const updatedSince = Date.parse(asked.get('updatedSince') ?? '');
  const found = [...bookings.values()].filter(
    (booking) =>
      startsIn(booking) &&
      atLeast(booking.dateCreated, 'minDateCreated') &&
      (!asked.has('updatedSince') || Date.parse(String(booking.dateUpdated)) > updatedSince),
  );
  const page = found.slice(offset, offset + limit);
  return { status: 200, body: { requestStatus: { success: true, version: 'v1' }, bookings: page } };
}

// Besides field values and the name of a pick-up location.
const changeable = ['status', 'customer', 'resellerComments', 'resellerReference'] as const;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The stored booking, each part changed by the one sent in its position. Parts not sent are deleted. */
function merge<Held>(
  held: readonly Held[],
  sent: unknown,
  put: (one: Held, other: Readonly<Record<string, unknown>>) => Held,
): Held[] {
  const others = listOf(sent);
  return held.flatMap((one, index) => {
    const other = others[index];
    return typeof other === 'object' && other !== null ? [put(one, { ...other })] : [];
  });
}

const putField = ({ value: _former, ...field }: RezdyField, { value }: Readonly<Record<string, unknown>>) =>
  value === undefined || value === null ? field : { ...field, value: String(value) };

/** Sets the values of fields by label; adds no field. */
function putFields(held: readonly RezdyField[], sent: unknown): RezdyField[] {
  const others = listOf(sent).map((field) => ({ ...Object(field) }));
  return held.map((field) => putField(field, others.find(({ label }) => label === field.label) ?? {}));
}

const putParticipant = (
  held: RezdyParticipant,
  { fields }: Readonly<Record<string, unknown>>,
): RezdyParticipant => ({ ...held, fields: putFields(held.fields, fields) });

function putItem(held: RezdyItem, sent: Readonly<Record<string, unknown>>): RezdyItem {
  const { pickupLocation, participants, ...item } = held;
  const { locationName } = Object(sent.pickupLocation);
  return {
    ...item,
    ...(participants && { participants: merge(participants, sent.participants, putParticipant) }),
    ...(sent.pickupLocation ? { pickupLocation: { ...Object(pickupLocation), locationName } } : {}),
  };
}

/**
 * Applies a PUT to a booking, as strictly as Rezdy's documentation can be read: whatever is omitted is deleted, and
 * only the properties on its list change.
 * @param alsoChangeable - properties that change although they are not on that list
 */
function putRezdyBooking(held: RezdyBooking, sent: unknown, alsoChangeable: readonly string[]): RezdyBooking {
  const order: Readonly<Record<string, unknown>> = { ...Object(sent) };
  const booking: Record<string, unknown> = { ...held };
  for (const name of [...changeable, ...alsoChangeable]) {
    delete booking[name];
    if (Object.hasOwn(order, name)) booking[name] = order[name];
  }
  if (Array.isArray(held.fields)) booking.fields = putFields(held.fields, order.fields);
  const items = merge(held.items, order.items, putItem);
  return { ...booking, orderNumber: held.orderNumber, items };
}

/** The routes for which faults can be planned. */
export type RezdyRoute = 'read' | 'list' | 'write';

export interface RezdyOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly apiKey: string;
  /** Default: {@link rezdyBooking}. */
  readonly bookings?: Iterable<RezdyBooking>;
  /** Properties of a booking that a PUT changes besides those that Rezdy lists as changeable. Default: none. */
  readonly alsoChangeable?: readonly string[];
}

/** Rezdy's API over real HTTP; `url` includes the base path. */
export interface SimulatedRezdy extends RecordingServer<RezdyRoute> {
  /** By order number. */
  readonly bookings: ReadonlyMap<string, RezdyBooking>;
  /** Adds a booking, or replaces the one with the same order number. */
  put(booking: RezdyBooking): void;
  /** Sends an order webhook. Returns the status of the response. */
  announce(webhookUrl: string, orderNumber: string): Promise<number>;
}

const bookingPath = /^\/v1\/bookings\/([^/?]+)(?:\?(.*))?$/;
const listPath = /^\/v1\/bookings(?:\?(.*))?$/;

const succeed = (booking: RezdyBooking): SimulatedAnswer => ({
  status: 200,
  body: { requestStatus: { success: true, version: 'v1' }, booking },
});

/** Starts Rezdy's API on 127.0.0.1. */
export async function startRezdy({
  port,
  apiKey,
  bookings: initialBookings = [rezdyBooking],
  alsoChangeable = [],
}: RezdyOptions): Promise<SimulatedRezdy> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.orderNumber, booking]));

  function answer({ route, path, headers, body }: ReceivedRequest<RezdyRoute>): SimulatedAnswer {
    if (route === 'other') return { status: 404, body: 'no such address' };
    if (route === 'list') {
      const asked = new URLSearchParams(listPath.exec(path)?.[1] ?? '');
      if ((headers.apikey ?? asked.get('apiKey')) !== apiKey) return refuse('4', 'The API key is not valid');
      return listRezdyBookings(asked, bookings);
    }
    const [, orderNumber = '', query = ''] = bookingPath.exec(path) ?? [];
    const key = headers.apikey ?? new URLSearchParams(query).get('apiKey');
    if (key !== apiKey) return refuse('4', 'The API key is not valid');
    const booking = bookings.get(decodeURIComponent(orderNumber));
    if (!booking) return refuse('24', 'The order was not found');
    if (route === 'read') return succeed(booking);
    const changed = putRezdyBooking(booking, JSON.parse(body.toString()), alsoChangeable);
    bookings.set(changed.orderNumber, changed);
    return succeed(changed);
  }

  const server = await startRecordingServer<RezdyRoute>({
    port,
    routeOf(method, path) {
      if (method === 'GET' && listPath.test(path)) return 'list';
      if (!bookingPath.test(path)) return 'other';
      return method === 'GET' ? 'read' : method === 'PUT' ? 'write' : 'other';
    },
    answer,
  });
  return {
    ...server,
    url: `${server.url}/v1`,
    bookings,
    put: (booking) => void bookings.set(booking.orderNumber, booking),
    async announce(webhookUrl, orderNumber) {
      const body = JSON.stringify(bookings.get(orderNumber));
      const headers = { 'content-type': 'application/json' };
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status;
    },
  };
}
