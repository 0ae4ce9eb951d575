import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { type ZauiBooking, zauiBooking, zauiProduct } from './zaui-booking.ts';

/** The routes for which faults can be planned. */
export type ZauiRoute = 'read' | 'product';

export interface ZauiOptions {
  readonly apiKey: string;
}

/** Zaui's OCTO API over real HTTP; `url` includes the base path. */
export interface SimulatedZaui extends RecordingServer<ZauiRoute> {
  /** Adds a booking, or replaces the one with the same uuid. */
  put(booking: ZauiBooking): void;
}

const route = /^\/octo\/(bookings|products)\/([^/?]+)$/;

const refuse = (error: string, errorMessage: string, details: object = {}): SimulatedAnswer => ({
  status: 400,
  body: { error, errorMessage, ...details },
});

function routeOf(method: string, path: string): ZauiRoute | 'other' {
  if (method !== 'GET') return 'other';
  const kind = route.exec(path)?.[1];
  return kind === 'bookings' ? 'read' : kind === 'products' ? 'product' : 'other';
}

/** Starts Zaui's OCTO API on 127.0.0.1. Its bookings cannot be changed, as in Zaui. */
export async function startZaui({ apiKey }: ZauiOptions): Promise<SimulatedZaui> {
  const bookings = new Map([[zauiBooking.uuid, zauiBooking]]);

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
    return id === zauiProduct.id
      ? { status: 200, body: zauiProduct }
      : refuse('INVALID_PRODUCT_ID', 'there is no such product', { productId: id });
  }

  const server = await startRecordingServer<ZauiRoute>({ routeOf, answer });
  return { ...server, url: `${server.url}/octo`, put: (booking) => void bookings.set(booking.uuid, booking) };
}

export { type ZauiBooking, zauiBooking } from './zaui-booking.ts';
