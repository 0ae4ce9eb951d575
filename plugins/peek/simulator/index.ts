import { randomUUID } from 'node:crypto';
import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';

type Json = Readonly<Record<string, unknown>>;

/** A booking as Peek serves it: unit items lack unit, contact and status; only `voucher` shows redemption. */
interface PeekBooking extends Json {
  readonly uuid: string;
  readonly status: string;
  readonly productId: string;
  readonly availability: Json;
}

interface PeekProduct extends Json {
  readonly id: string;
}

const singles = '0b6a7f0e-51f2-4c0b-9a3c-3f6f2f6e7001';
const families = '0b6a7f0e-51f2-4c0b-9a3c-3f6f2f6e7002';

const unit = (id: string, internalName: string, type: string, paxCount: number) => ({
  id,
  internalName,
  reference: null,
  type,
  restrictions: {
    minAge: 0,
    maxAge: 99,
    idRequired: false,
    minQuantity: 0,
    maxQuantity: null,
    paxCount,
    accompaniedBy: [],
  },
});

/** A canoe tour in Oregon. Its only option has the product's own id. */
const peekProduct: PeekProduct = {
  id: 'av_7001',
  internalName: 'Canoe at dusk',
  reference: null,
  locale: 'en',
  timeZone: 'America/Los_Angeles',
  allowFreesale: false,
  instantConfirmation: true,
  availabilityRequired: true,
  availabilityType: 'START_TIME',
  deliveryFormats: ['QRCODE'],
  deliveryMethods: ['VOUCHER'],
  redemptionMethod: 'DIGITAL',
  capabilities: [
    { id: 'octo/pricing', revision: 1, required: true, dependencies: [] },
    { id: 'octo/webhooks', revision: 1, required: false, dependencies: [] },
  ],
  options: [
    {
      id: 'av_7001',
      default: true,
      internalName: 'Canoe at dusk',
      reference: null,
      restrictions: {},
      units: [unit(singles, 'Paddler', 'ADULT', 1), unit(families, 'Family canoe', 'FAMILY', 4)],
    },
  ],
};

const unitItem = (uuid: string, unitId: string) => ({
  uuid,
  resellerReference: null,
  supplierReference: 'PK7001',
  unitId,
  ticket: null,
});

/** A canoe tour of an adult and a family. */
export const peekBooking: PeekBooking = {
  uuid: '6c1a52d4-8b9e-4d6e-a1a4-54f20b5a7001',
  testMode: true,
  resellerReference: 'VOUCHER-7001',
  supplierReference: 'PK7001',
  status: 'CONFIRMED',
  utcExpiresAt: null,
  utcConfirmedAt: '2027-05-02T18:00:00Z',
  productId: peekProduct.id,
  optionId: peekProduct.id,
  cancellable: true,
  cancellation: null,
  freesale: false,
  notes: 'Brings a dog',
  availability: {
    id: '20270612190000_120_6c1a52d4-8b9e-4d6e-a1a4-54f20b5a7009',
    localDateTimeStart: '2027-06-12T19:00:00-07:00',
    localDateTimeEnd: '2027-06-12T21:00:00-07:00',
    allDay: false,
    openingHours: [],
  },
  contact: {
    fullName: 'Zoë Castañeda',
    emailAddress: 'zoe@example.com',
    phoneNumber: '+1 503 555 0100',
    locales: ['en'],
    country: 'US',
  },
  deliveryMethods: ['VOUCHER'],
  voucher: { redemptionMethod: 'DIGITAL', utcRedeemedAt: null, deliveryOptions: [] },
  unitItems: [
    unitItem('b1000000-8b9e-4d6e-a1a4-54f20b5a7001', singles),
    unitItem('b2000000-8b9e-4d6e-a1a4-54f20b5a7001', families),
  ],
};

/** An error of Peek: status 400 with a code, except for a missing (401) or wrong (403) key. */
class PeekRefusal extends Error {
  readonly answer: SimulatedAnswer;

  constructor(error: string, errorMessage: string, details: object = {}, status = 400) {
    super(errorMessage);
    this.answer = { status, body: { error, errorMessage, ...details } };
  }
}

/** A webhook of the account. */
export interface PeekWebhook {
  readonly id: string;
  readonly event: string;
  readonly url: string;
}

function objectFrom(body: string): Readonly<Record<string, unknown>> {
  try {
    const sent: unknown = JSON.parse(body);
    if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return { ...sent };
  } catch {
    // Refused below.
  }
  throw new PeekRefusal('BAD_REQUEST', 'the body is no JSON object');
}

/** The account's webhooks. Duplicates are accepted: Peek does not document that it refuses them. */
class PeekWebhooks {
  readonly all: PeekWebhook[] = [];

  carryOut(method: string, id: string | undefined, body: string): unknown {
    if (method === 'GET' && id === undefined) return [...this.all];
    if (method === 'POST' && id === undefined) return this.#create(objectFrom(body));
    const index = this.all.findIndex((hook) => hook.id === id);
    if (method !== 'DELETE' || index < 0) throw new PeekRefusal('BAD_REQUEST', 'there is no such webhook');
    return this.all.splice(index, 1)[0];
  }

  #create({ event, url }: Readonly<Record<string, unknown>>): PeekWebhook {
    if (event !== 'booking_update') throw new PeekRefusal('BAD_REQUEST', 'there is no such event');
    if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new PeekRefusal('BAD_REQUEST', 'the url is not fully formed');
    const hook = { id: `octohook_${randomUUID()}`, event, url };
    this.all.push(hook);
    return hook;
  }
}

/** The routes for which faults can be planned. */
export type PeekRoute = 'read' | 'list' | 'product' | 'products' | 'webhooks';

export interface PeekOptions {
  readonly apiKey: string;
}

/** Peek's OCTO API over real HTTP; `url` includes the base path. */
export interface SimulatedPeek extends RecordingServer<PeekRoute> {
  readonly webhooks: PeekWebhook[];
  /** Adds a booking, or replaces the one with the same uuid. */
  put(booking: PeekBooking): void;
  /** Sends a webhook about a booking. Returns the status of the response. */
  announce(webhookUrl: string, uuid: string): Promise<number>;
}

const basePath = '/integrations/octo';
const address = /^\/integrations\/octo\/(bookings|products|webhooks)(?:\/([^/?]+))?(?:\?(.*))?$/;
const localDate = /^\d{4}-\d\d-\d\d$/;

/** The routes that read. PATCH is not simulated: the plugin must not depend on what it does. */
const routes: Readonly<Record<string, readonly [list: PeekRoute, single: PeekRoute]>> = {
  bookings: ['list', 'read'],
  products: ['products', 'product'],
};

function routeOf(method: string, path: string): PeekRoute | 'other' {
  const [, kind = '', id] = address.exec(path) ?? [];
  if (kind === 'webhooks') return 'webhooks';
  return (method === 'GET' && routes[kind]?.[id === undefined ? 0 : 1]) || 'other';
}

/** Refuses a request without the key, and any but a GET without the content type. */
function verifyHeaders({ method, headers }: ReceivedRequest<PeekRoute>, apiKey: string): void {
  if (headers.authorization === undefined)
    throw new PeekRefusal('UNAUTHORIZED', 'the key is missing', {}, 401);
  if (headers.authorization !== `Bearer ${apiKey}`)
    throw new PeekRefusal('FORBIDDEN', 'the key is wrong', {}, 403);
  if (method !== 'GET' && headers['content-type'] !== 'application/json')
    throw new PeekRefusal('BAD_REQUEST', 'the content type is not application/json');
}

/** Starts Peek's OCTO API on 127.0.0.1. Its bookings cannot be changed. */
export async function startPeek({ apiKey }: PeekOptions): Promise<SimulatedPeek> {
  const bookings = new Map([[peekBooking.uuid, peekBooking]]);
  const webhooks = new PeekWebhooks();

  function read(uuid: string): PeekBooking {
    const booking = bookings.get(uuid);
    // An expired hold gets the same code.
    if (booking === undefined || booking.status === 'EXPIRED')
      throw new PeekRefusal('INVALID_BOOKING_UUID', 'there is no such booking', { uuid });
    return booking;
  }

  /** The bookings whose availability starts on certain local dates. */
  function list(query: URLSearchParams): readonly PeekBooking[] {
    const [start = '', end = ''] = [query.get('localDateStart') ?? '', query.get('localDateEnd') ?? ''];
    if (!localDate.test(start) || !localDate.test(end))
      throw new PeekRefusal('BAD_REQUEST', 'localDateStart and localDateEnd are required');
    const dateOf = ({ availability }: PeekBooking) => String(availability.localDateTimeStart).slice(0, 10);
    return [...bookings.values()].filter((one) => dateOf(one) >= start && dateOf(one) <= end);
  }

  function carryOut(request: ReceivedRequest<PeekRoute>): unknown {
    verifyHeaders(request, apiKey);
    const [, , id = '', query = ''] = address.exec(request.path) ?? [];
    switch (request.route) {
      case 'read':
        return read(decodeURIComponent(id));
      case 'list':
        return list(new URLSearchParams(query));
      case 'product':
        if (decodeURIComponent(id) === peekProduct.id) return peekProduct;
        throw new PeekRefusal('INVALID_PRODUCT_ID', 'there is no such product', { productId: id });
      case 'products':
        return [peekProduct];
      case 'webhooks':
        return webhooks.carryOut(request.method, id || undefined, request.body.toString());
      case 'other':
        throw new PeekRefusal('NOT_FOUND', 'no route', {}, 404);
    }
  }

  const server = await startRecordingServer<PeekRoute>({
    routeOf,
    answer(request) {
      try {
        return { status: 200, body: carryOut(request) };
      } catch (error) {
        if (error instanceof PeekRefusal) return error.answer;
        throw error;
      }
    },
  });
  return {
    ...server,
    url: `${server.url}${basePath}`,
    webhooks: webhooks.all,
    put: (booking) => void bookings.set(booking.uuid, booking),
    async announce(url, uuid) {
      const id = webhooks.all.find((hook) => hook.url === url)?.id ?? 'octohook_of_somebody';
      const body = JSON.stringify({
        webhook: { id, event: 'booking_update', url },
        booking: bookings.get(uuid),
      });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
  };
}
