import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { type BokunBooking, bokunBooking } from './bokun-booking.ts';
import { type BokunKeys, isSigned } from './is-signed.ts';
import { searchProductBookings } from './list.ts';
import { type BokunTopic, sendNotification, sendWebhook } from './webhooks.ts';

/** The routes for which faults can be planned. */
export type BokunRoute = 'read' | 'search';

export interface BokunOptions extends BokunKeys {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: {@link bokunBooking}. */
  readonly bookings?: Iterable<BokunBooking>;
  /** Whether the key has the permission to read bookings. Default: true. */
  readonly mayRead?: boolean;
  /** The secret of the app that sends webhooks. Default: `app-secret`. */
  readonly appSecret?: string;
}

/** Bókun's REST API over real HTTP. */
export interface SimulatedBokun extends RecordingServer<BokunRoute> {
  /** By code. */
  readonly bookings: ReadonlyMap<string, BokunBooking>;
  /** Adds a booking, or replaces the one with the same code. */
  put(booking: BokunBooking): void;
  /** Sends the webhook of an app about a booking. Returns the status of the response. */
  announce(webhookUrl: string, code: string, topic?: BokunTopic): Promise<number>;
  /** Sends the notification of a booking channel about a booking. Returns the status of the response. */
  notify(webhookUrl: string, code: string): Promise<number>;
}

const searchPath = '/booking.json/product-booking-search';
const bookingPath = /^\/booking\.json\/booking\/([^/?]+)(?:\?|$)/;

const refuse = (status: number, message: string): SimulatedAnswer => ({
  status,
  body: { message, fields: {} },
});

// The answer if the key lacks a permission.
const toLogin: SimulatedAnswer = { status: 303, headers: { Location: '/login' }, body: '' };

/** Starts Bókun's API on 127.0.0.1. */
export async function startBokun({
  port,
  accessKey,
  secretKey,
  bookings: initialBookings = [bokunBooking],
  mayRead = true,
  appSecret = 'app-secret',
}: BokunOptions): Promise<SimulatedBokun> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.confirmationCode, booking]));
  const find = (id: string) =>
    bookings.get(id) ?? [...bookings.values()].find(({ bookingId }) => String(bookingId) === id);
  const findByCode = (code: string) => {
    const booking = bookings.get(code);
    if (booking === undefined) throw new Error(`there is no booking ${code}`);
    return booking;
  };

  function answer(request: ReceivedRequest<BokunRoute>): SimulatedAnswer {
    const { route, path } = request;
    if (route === 'other') return refuse(404, 'Not found');
    if (!mayRead) return toLogin;
    if (route === 'search') return searchProductBookings(request, bookings.values());
    const booking = find(decodeURIComponent(bookingPath.exec(path)?.[1] ?? ''));
    return booking === undefined ? refuse(404, 'No booking was found') : { status: 200, body: booking };
  }

  const server = await startRecordingServer<BokunRoute>({
    port,
    routeOf(method, path) {
      if (method === 'POST' && path === searchPath) return 'search';
      return method === 'GET' && bookingPath.test(path) ? 'read' : 'other';
    },
    answer,
    isAuthentic: (request) => isSigned(request, { accessKey, secretKey }),
  });
  return {
    ...server,
    bookings,
    put: (booking) => void bookings.set(booking.confirmationCode, booking),
    announce: (webhookUrl, code, topic = 'bookings/update') =>
      sendWebhook(webhookUrl, findByCode(code), { topic, appSecret }),
    notify: (webhookUrl, code) => sendNotification(webhookUrl, findByCode(code)),
  };
}
