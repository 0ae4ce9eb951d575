import { randomUUID } from 'node:crypto';
import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { type OctoBooking, type OctoProduct, type OctoUnitItem, octoBooking } from './octo-booking.ts';
import { OctoRefusal, OctoWaivers } from './octo-waivers.ts';

/** A webhook of the account. */
interface OctoWebhook {
  readonly id: string;
  readonly event: string;
  readonly url: string;
}

const events = ['booking_update', 'availability_update'];

const webhookOf = (sent: unknown): Readonly<Record<string, unknown>> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    ? Object.fromEntries(Object.entries(sent))
    : {};

/** The webhooks of `octo/webhooks`. An account may register the same one twice. */
class OctoWebhooks {
  readonly all: OctoWebhook[] = [];

  carryOut(method: string, id: string | undefined, body: string): unknown {
    if (method === 'GET' && id === undefined) return [...this.all];
    if (method === 'POST' && id === undefined) return this.#create(webhookOf(JSON.parse(body)));
    const index = this.all.findIndex((hook) => hook.id === id);
    if (method !== 'DELETE' || index < 0) throw new OctoRefusal('BAD_REQUEST', 'there is no such webhook');
    return this.all.splice(index, 1)[0];
  }

  #create({ event, url }: Readonly<Record<string, unknown>>): OctoWebhook {
    if (typeof event !== 'string' || !events.includes(event))
      throw new OctoRefusal('BAD_REQUEST', 'there is no such event');
    if (typeof url !== 'string' || !URL.canParse(url))
      throw new OctoRefusal('BAD_REQUEST', 'the url is not fully formed');
    const hook = { id: randomUUID(), event, url };
    this.all.push(hook);
    return hook;
  }
}

// A PATCH reissues the unit items it includes, with another reference, as octotravel/octomock does.
function patchUnitItem(item: OctoUnitItem, body: object): OctoUnitItem {
  const { unitId = item.unitId, contact = item.contact, resellerReference = null } = Object(body);
  return { ...item, unitId, contact, resellerReference, supplierReference: `KAY-${randomUUID()}` };
}

// Unit items whose uuid the body does not include are removed from the booking.
function patchUnitItems(booking: OctoBooking, bodies: readonly object[]): readonly OctoUnitItem[] {
  if (bodies.length === 0) throw new OctoRefusal('UNPROCESSABLE_ENTITY', 'at least one ticket is required');
  const left = [...booking.unitItems];
  return bodies.map((body) => {
    const { uuid } = Object(body);
    const index = left.findIndex((item) => item.uuid === uuid);
    const [item] = index === -1 ? [] : left.splice(index, 1);
    if (item === undefined)
      throw new OctoRefusal('UNPROCESSABLE_ENTITY', 'a unit item is not in the booking');
    return patchUnitItem(item, body);
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Applies a PATCH to a booking. If it throws OctoRefusal, nothing has changed. */
function patchOctoBooking(
  booking: OctoBooking,
  body: unknown,
  waivers: OctoWaivers | undefined,
): OctoBooking {
  if (!isObject(body)) throw new OctoRefusal('BAD_REQUEST', 'the body is no object');
  const { notes = booking.notes, contact = booking.contact, unitItems: bodies } = Object(body);
  const unitItems: object[] | undefined = Array.isArray(bodies) ? bodies.filter(isObject) : undefined;
  // The documentation makes no exception, not even for the vendor's own waiver.
  if (!booking.cancellable) {
    throw new OctoRefusal('UNPROCESSABLE_ENTITY', 'the booking is not cancellable any more');
  }
  const patched = {
    ...booking,
    notes,
    contact,
    unitItems: unitItems ? patchUnitItems(booking, unitItems) : booking.unitItems,
  };
  const filled = [
    { place: undefined, sent: body },
    ...(unitItems ?? []).map((sent, index) => ({ place: patched.unitItems[index]?.uuid, sent })),
  ];
  for (const { place, sent } of filled) waivers?.check(booking, place, sent);
  for (const { place, sent } of filled) waivers?.take(booking, place, sent);
  return patched;
}

/** The routes for which faults can be planned. */
export type OctoRoute = 'read' | 'list' | 'write' | 'product' | 'supplier' | 'webhooks';

export interface OctoOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly apiKey: string;
  /** The environment of its bookings; requests for the other one find none. Default: any. */
  readonly env?: 'live' | 'test';
  /** Default: {@link octoBooking}. */
  readonly bookings?: Iterable<OctoBooking>;
  /** Default: none. */
  readonly products?: Iterable<OctoProduct>;
}

/** A system that speaks OCTO, over real HTTP; `url` includes the base path. */
export interface SimulatedOcto extends RecordingServer<OctoRoute> {
  /** By uuid. */
  readonly bookings: ReadonlyMap<string, OctoBooking>;
  readonly webhooks: OctoWebhook[];
  /** The PDF in the waiver form of a booking, or of one of its unit items. */
  waiverFile(uuid: string, unitItem?: string): Buffer | undefined;
  /** Adds a booking, or replaces the one with the same uuid. */
  put(booking: OctoBooking): void;
  /** Sends the webhook of `octo/webhooks` about a booking. Returns the status of the response. */
  announce(webhookUrl: string, uuid: string): Promise<number>;
}

const webhookRoute = /^\/octo\/webhooks(?:\/([^/?]+))?$/;
const route = /^\/octo\/(bookings|products)\/([^/?]+)$/;
const listPath = /^\/octo\/bookings(?:\?(.*))?$/;
const localDate = /^\d{4}-\d\d-\d\d$/;

function routeOf(method: string, path: string): OctoRoute | 'other' {
  if (method === 'GET' && listPath.test(path)) return 'list';
  if (method === 'GET' && path === '/octo/supplier') return 'supplier';
  if (webhookRoute.test(path)) return 'webhooks';
  const kind = route.exec(path)?.[1];
  if (kind === 'products') return method === 'GET' ? 'product' : 'other';
  if (kind !== 'bookings') return 'other';
  return method === 'GET' ? 'read' : method === 'PATCH' ? 'write' : 'other';
}

/** Starts a system that speaks OCTO on 127.0.0.1. */
export async function startOcto({
  port,
  apiKey,
  env,
  bookings: initialBookings = [octoBooking],
  products: initialProducts = [],
}: OctoOptions): Promise<SimulatedOcto> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.uuid, booking]));
  const products = new Map([...initialProducts].map((product) => [product.id, product]));
  const waivers = new OctoWaivers(products);
  const webhooks = new OctoWebhooks();

  /** The bookings whose availability starts on certain local dates. OCTO requires one of several filters. */
  function list(query: URLSearchParams, headers: ReceivedRequest['headers']): readonly OctoBooking[] {
    const [start = '', end = ''] = [query.get('localDateStart') ?? '', query.get('localDateEnd') ?? ''];
    if (!localDate.test(start) || !localDate.test(end)) {
      throw new OctoRefusal('BAD_REQUEST', 'localDateStart and localDateEnd are required');
    }
    if (env !== undefined && (headers['octo-env'] ?? 'live') !== env) return [];
    const dateOf = ({ availability }: OctoBooking) =>
      String(Object(availability).localDateTimeStart).slice(0, 10);
    return [...bookings.values()].filter((one) => dateOf(one) >= start && dateOf(one) <= end);
  }

  function carryOut({ route: requested, method, path, headers, body }: ReceivedRequest<OctoRoute>): unknown {
    const id = decodeURIComponent(route.exec(path)?.[2] ?? '');
    const capabilities = headers['octo-capabilities'];
    if (headers.authorization !== `Bearer ${apiKey}`)
      throw new OctoRefusal('UNAUTHORIZED', 'the key is wrong');
    if (capabilities === undefined) throw new OctoRefusal('BAD_REQUEST', 'Octo-Capabilities is missing');
    const hasWaivers = String(capabilities).split(/, */).includes('octo/waivers');
    if (requested === 'supplier') return { id: 'sup-1', name: 'Kayaks of Lisbon', endpoint: '', contact: {} };
    if (requested === 'list') return list(new URLSearchParams(listPath.exec(path)?.[1] ?? ''), headers);
    if (requested === 'webhooks') {
      if (!String(capabilities).split(/, */).includes('octo/webhooks'))
        throw new OctoRefusal('BAD_REQUEST', 'octo/webhooks is not among the capabilities');
      return webhooks.carryOut(method, webhookRoute.exec(path)?.[1], body.toString());
    }
    if (requested === 'product') {
      const product = products.get(id);
      if (!product)
        throw new OctoRefusal('INVALID_PRODUCT_ID', 'there is no such product', { productId: id });
      const { waiverPer: _per, waivers: _waivers, ...others } = product;
      return hasWaivers ? product : others;
    }
    const isOtherEnv = env !== undefined && (headers['octo-env'] ?? 'live') !== env;
    const booking = isOtherEnv ? undefined : bookings.get(id);
    if (!booking) throw new OctoRefusal('INVALID_BOOKING_UUID', 'there is no such booking', { uuid: id });
    if (requested === 'write') {
      const sent: unknown = JSON.parse(body.toString());
      bookings.set(id, patchOctoBooking(booking, sent, hasWaivers ? waivers : undefined));
    }
    const shown = bookings.get(id) ?? booking;
    return hasWaivers ? waivers.show(shown) : shown;
  }

  function answer(request: ReceivedRequest<OctoRoute>): SimulatedAnswer {
    if (request.route === 'other')
      return { status: 404, body: { error: 'NOT_FOUND', errorMessage: 'no route' } };
    try {
      return { status: 200, body: carryOut(request) };
    } catch (error) {
      if (error instanceof OctoRefusal) return error.answer;
      throw error;
    }
  }

  const server = await startRecordingServer<OctoRoute>({ port, routeOf, answer });
  return {
    ...server,
    url: `${server.url}/octo`,
    bookings,
    webhooks: webhooks.all,
    waiverFile: (uuid, unitItem) => waivers.fileOf(uuid, unitItem),
    put: (booking) => void bookings.set(booking.uuid, booking),
    async announce(webhookUrl, uuid) {
      const body = JSON.stringify({
        webhook: { id: 'wh-1', event: 'booking_update' },
        booking: bookings.get(uuid),
      });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status;
    },
  };
}

export { type OctoBooking, type OctoProduct, octoBooking } from './octo-booking.ts';
