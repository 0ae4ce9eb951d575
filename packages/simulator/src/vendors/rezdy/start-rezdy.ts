import type { ReceivedRequest, SimulatedAnswer } from '../../http/received-request.ts';
import { type RecordingServer, startRecordingServer } from '../../http/recording-server.ts';
import { type RezdyBooking, type RezdyItem, rezdyBooking } from './rezdy-booking.ts';

/** The requests that can be made to a simulated Rezdy. */
export type RezdyRoute = 'read' | 'write';

/** What a simulated Rezdy is started with. */
export interface RezdyOptions {
  /** 0 or absent: a free one. */
  readonly port?: number;
  readonly apiKey: string;
  /** {@link rezdyBooking} where absent. */
  readonly bookings?: Iterable<RezdyBooking>;
}

/** Rezdy's API over real HTTP; `url` is the address under which its paths stand. */
export interface SimulatedRezdy extends RecordingServer<RezdyRoute> {
  /** By order number. */
  readonly bookings: ReadonlyMap<string, RezdyBooking>;
  /** Adds a booking, or replaces the one of its order number. */
  put(booking: RezdyBooking): void;
  /** Makes the call of an order webhook. Returns the status of the answer. */
  announce(webhookUrl: string, orderNumber: string): Promise<number>;
}

const bookingPath = /^\/v1\/bookings\/([^/?]+)(?:\?(.*))?$/;

const succeed = (booking: RezdyBooking): SimulatedAnswer => ({
  status: 200,
  body: { requestStatus: { success: true, version: 'v1' }, booking },
});

// A refusal has status 200 like everything else: only the envelope tells.
const refuse = (errorCode: string, errorMessage: string): SimulatedAnswer => ({
  status: 200,
  body: { requestStatus: { success: false, version: 'v1', error: { errorCode, errorMessage } } },
});

/** An item after a PUT: the participants are those that came, as a whole; the ones that were left out are gone. */
function putItem(item: RezdyItem, sent: unknown): RezdyItem {
  const { participants } = Object(sent);
  return { ...item, participants: Array.isArray(participants) ? participants : [] };
}

function putBooking(booking: RezdyBooking, sent: unknown): RezdyBooking {
  const { internalNotes = booking.internalNotes, items } = Object(sent);
  const kept = Array.isArray(items)
    ? booking.items.map((item, index) => putItem(item, items[index]))
    : booking.items;
  return { ...booking, internalNotes, items: kept };
}

/** Starts Rezdy's API on 127.0.0.1. */
export async function startRezdy({
  port,
  apiKey,
  bookings: held = [rezdyBooking],
}: RezdyOptions): Promise<SimulatedRezdy> {
  const bookings = new Map([...held].map((booking) => [booking.orderNumber, booking]));

  function answer({ route, path, headers, body }: ReceivedRequest<RezdyRoute>): SimulatedAnswer {
    if (route === 'other') return { status: 404, body: 'no such address' };
    const [, orderNumber = '', query = ''] = bookingPath.exec(path) ?? [];
    const key = headers.apikey ?? new URLSearchParams(query).get('apiKey');
    if (key !== apiKey) return refuse('4', 'The API key is not valid');
    const booking = bookings.get(decodeURIComponent(orderNumber));
    if (!booking) return refuse('24', 'The order was not found');
    if (route === 'read') return succeed(booking);
    const changed = putBooking(booking, JSON.parse(body.toString()));
    bookings.set(changed.orderNumber, changed);
    return succeed(changed);
  }

  const server = await startRecordingServer<RezdyRoute>({
    port,
    routeOf(method, path) {
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
