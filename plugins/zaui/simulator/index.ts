import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { type ZauiBooking, type ZauiProduct, zauiBooking, zauiProduct } from './zaui-booking.ts';

/** The routes for which faults can be planned. */
export type ZauiRoute = 'read' | 'product';

export interface ZauiOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly apiKey: string;
  /** Default: {@link zauiBooking}. */
  readonly bookings?: Iterable<ZauiBooking>;
  /** Default: {@link zauiProduct}. */
  readonly products?: Iterable<ZauiProduct>;
}

/** Zaui's OCTO API over real HTTP; `url` includes the base path. */
export interface SimulatedZaui extends RecordingServer<ZauiRoute> {
  /** Adds a booking, or replaces the one with the same uuid. */
  put(booking: ZauiBooking): void;
}

const requestsPerMinute = 65;
const minuteMs = 60_000;
const route = /^\/octo\/(bookings|products)\/([^/?]+)$/;

const refuse = (error: string, errorMessage: string, details: object = {}): SimulatedAnswer => ({
  status: 400,
  body: { error, errorMessage, ...details },
});

/** Counts the requests of a minute. Reading bookings does not count. */
class RateLimit {
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Counts a request, and returns the headers of its answer; `isExceeded` if it is one too many. */
  take(now: number) {
    if (now >= this.#since + minuteMs) [this.#since, this.#count] = [now, 0];
    this.#count += 1;
    const isExceeded = this.#count > requestsPerMinute;
    const headers = {
      'OCTO-RateLimit-Limit': String(requestsPerMinute),
      'OCTO-RateLimit-Remaining': String(Math.max(0, requestsPerMinute - this.#count)),
      ...(isExceeded
        ? { 'OCTO-RateLimit-RetryAfter': String(Math.ceil((this.#since + minuteMs - now) / 1000)) }
        : {}),
    };
    return { isExceeded, headers };
  }
}

function routeOf(method: string, path: string): ZauiRoute | 'other' {
  if (method !== 'GET') return 'other';
  const kind = route.exec(path)?.[1];
  return kind === 'bookings' ? 'read' : kind === 'products' ? 'product' : 'other';
}

/** Starts Zaui's OCTO API on 127.0.0.1. Its bookings cannot be changed, as in Zaui. */
export async function startZaui({
  port,
  apiKey,
  bookings: initialBookings = [zauiBooking],
  products: initialProducts = [zauiProduct],
}: ZauiOptions): Promise<SimulatedZaui> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.uuid, booking]));
  const products = new Map([...initialProducts].map((product) => [product.id, product]));
  const limit = new RateLimit();

  function answer({ route: requested, path, headers }: ReceivedRequest<ZauiRoute>): SimulatedAnswer {
    if (requested === 'other') return { status: 404, body: { error: 'NOT_FOUND', errorMessage: 'no route' } };
    if (headers.authorization === undefined) return refuse('UNAUTHORIZED', 'the key is missing');
    if (headers.authorization !== `Bearer ${apiKey}`) return refuse('FORBIDDEN', 'the key is wrong');
    const id = decodeURIComponent(route.exec(path)?.[2] ?? '');
    if (requested === 'read') {
      const booking = bookings.get(id);
      if (booking === undefined)
        return refuse('INVALID_BOOKING_UUID', 'there is no such booking', { uuid: id });
      return { status: 200, body: booking };
    }
    const { isExceeded, headers: counted } = limit.take(Date.now());
    if (isExceeded) return { status: 429, headers: counted, body: { error: 'TOO_MANY_REQUESTS' } };
    const product = products.get(id);
    const shown: SimulatedAnswer =
      product === undefined
        ? refuse('INVALID_PRODUCT_ID', 'there is no such product', { productId: id })
        : { status: 200, body: product };
    return { ...shown, headers: counted };
  }

  const server = await startRecordingServer<ZauiRoute>({ port, routeOf, answer });
  return { ...server, url: `${server.url}/octo`, put: (booking) => void bookings.set(booking.uuid, booking) };
}

export { type ZauiBooking, type ZauiProduct, zauiBooking, zauiProduct } from './zaui-booking.ts';
