import { randomInt, randomUUID } from 'node:crypto';
import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';

/** A booking as FareHarbor serves it; additional fields are served unchanged. */
export interface FareHarborBooking {
  readonly uuid: string;
  readonly status: string;
  readonly rebooked_from?: string | null;
  readonly rebooked_to?: string | null;
  readonly note: string | null;
  readonly customers: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** A booking for two, with details that are easy to misread: offsets without a colon, a name in a custom field. */
export function fareHarborBooking(changes: Partial<FareHarborBooking> = {}): FareHarborBooking {
  const rate = { pk: 311, customer_type: { pk: 21, singular: 'Adult', plural: 'Adults' } };
  return {
    pk: 88120431,
    uuid: '5f0e3a9c-6a53-4f6f-9a55-0c6d1c3b7e10',
    display_id: '#88120431',
    status: 'booked',
    rebooked_from: null,
    rebooked_to: null,
    availability: {
      pk: 7001,
      start_at: '2027-06-12T09:30:00+0200',
      end_at: '2027-06-12T13:00:00+0200',
      item: { pk: 42, name: 'Canyoning half day' },
    },
    contact: {
      name: 'Zoë Bäcker',
      phone: '0512 123456',
      normalized_phone: '+43512123456',
      email: 'zoe@example.com',
    },
    customers: [
      {
        pk: 900001,
        checkin_status: null,
        customer_type_rate: rate,
        custom_field_values: [
          {
            custom_field: { pk: 55, type: 'short', name: 'Full name' },
            name: 'Full name',
            value: 'Zoë Bäcker',
            display_value: 'Zoë Bäcker',
          },
        ],
      },
      { pk: 900002, checkin_status: null, customer_type_rate: rate, custom_field_values: [] },
    ],
    customer_count: 2,
    note: 'Arrives by train.',
    company: { shortname: 'tyrolrafting', name: 'Tyrol Rafting' },
    affiliate_company: null,
    order: null,
    external_id: '',
    ...changes,
  };
}

export interface FareHarborKeys {
  readonly appKey: string;
  readonly userKey: string;
  readonly shortname: string;
}

/** The routes for which faults can be planned. */
export type FareHarborRoute = 'read' | 'note';

const bookingPath = /^\/api\/external\/v1\/companies\/([^/?]+)\/bookings\/([^/?]+)\/(note\/)?$/;

function routeOfFareHarbor(method: string, path: string): FareHarborRoute | 'other' {
  const match = bookingPath.exec(path);
  if (match === null) return 'other';
  const isNote = match[3] !== undefined;
  return isNote ? (method === 'PUT' ? 'note' : 'other') : method === 'GET' ? 'read' : 'other';
}

const refuse = (status: number, error: string): SimulatedAnswer => ({ status, body: { error, status } });

function refusalOfKeys(headers: ReceivedRequest['headers'], keys: FareHarborKeys) {
  const app = headers['x-fareharbor-api-app'];
  const user = headers['x-fareharbor-api-user'];
  if (app === undefined || user === undefined) return refuse(400, 'key-missing');
  if (app !== keys.appKey) return refuse(403, 'app-key-invalid');
  return user === keys.userKey ? undefined : refuse(403, 'user-key-invalid');
}

function noteIn({ body, headers }: ReceivedRequest): string | SimulatedAnswer {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    return refuse(400, 'content-type-invalid-error');
  }
  try {
    const { note } = Object(JSON.parse(body.toString('utf8')));
    return typeof note === 'string' ? note : refuse(400, 'booking-note-error');
  } catch {
    return refuse(400, 'book-data-parse-error');
  }
}

/** Answers a request as FareHarbor documents it. A booking has a single note, which a PUT replaces. */
function answerFareHarbor(
  request: ReceivedRequest,
  bookings: Map<string, FareHarborBooking>,
  keys: FareHarborKeys,
): SimulatedAnswer {
  const refusal = refusalOfKeys(request.headers, keys);
  if (refusal !== undefined) return refusal;
  const [, shortname = '', uuid = ''] = (bookingPath.exec(request.path) ?? []).map((part) =>
    decodeURIComponent(part ?? ''),
  );
  if (shortname === '') return refuse(404, 'not-found');
  if (shortname !== keys.shortname) return refuse(404, 'company-shortname-invalid');
  const booking = bookings.get(uuid);
  if (booking === undefined) return refuse(404, 'booking-uuid-invalid');
  if (request.route === 'read') return { status: 200, body: { booking } };
  const note = noteIn(request);
  if (typeof note !== 'string') return note;
  const changed = { ...booking, note };
  bookings.set(uuid, changed);
  return { status: 200, body: { booking: changed } };
}

export interface FareHarborOptions extends FareHarborKeys {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: one {@link fareHarborBooking}. */
  readonly bookings?: Iterable<FareHarborBooking>;
}

/** FareHarbor's external API over real HTTP; `url` includes the base path. */
export interface SimulatedFareHarbor extends RecordingServer<FareHarborRoute> {
  /** By uuid. */
  readonly bookings: ReadonlyMap<string, FareHarborBooking>;
  /** Adds a booking, or replaces the one with the same uuid. */
  put(booking: FareHarborBooking): void;
  /** Replaces a booking by a new one with a new uuid and new customers; the old one refers to it. Returns the new one. */
  rebook(uuid: string, changes?: Partial<FareHarborBooking>): FareHarborBooking;
  /** Sends FareHarbor's unsigned webhook about a changed booking. Returns the status of the response. */
  announce(url: string, uuid: string): Promise<number>;
}

/** Starts FareHarbor's external API on 127.0.0.1. */
export async function startFareHarbor({
  port,
  bookings: initialBookings = [fareHarborBooking()],
  ...keys
}: FareHarborOptions): Promise<SimulatedFareHarbor> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.uuid, booking]));
  const server = await startRecordingServer<FareHarborRoute>({
    port,
    routeOf: routeOfFareHarbor,
    answer: (request) => answerFareHarbor(request, bookings, keys),
  });
  const get = (uuid: string) => {
    const booking = bookings.get(uuid);
    if (booking === undefined) throw new Error(`there is no booking ${uuid}`);
    return booking;
  };
  return {
    ...server,
    url: `${server.url}/api/external/v1`,
    bookings,
    put: (booking) => void bookings.set(booking.uuid, booking),
    rebook(uuid, changes = {}) {
      const former = get(uuid);
      const customers = former.customers.map((customer) => ({ ...customer, pk: randomInt(1e9) }));
      const next = { ...former, uuid: randomUUID(), rebooked_from: uuid, customers, ...changes };
      bookings.set(uuid, { ...former, status: 'rebooked', rebooked_to: next.uuid });
      bookings.set(next.uuid, next);
      return next;
    },
    async announce(url, uuid) {
      const body = JSON.stringify({ booking: get(uuid) });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
  };
}
