import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { listRezdyBookings } from './list.ts';
import { refuse } from './rezdy-answers.ts';
import { type RezdyBooking, rezdyBooking } from './rezdy-booking.ts';
import { putRezdyBooking } from './write.ts';

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
