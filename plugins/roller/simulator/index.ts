import { randomUUID } from 'node:crypto';
import {
  IssuedTokens,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { answerRoller, type RollerCredentials, type RollerRoute, routeOfRoller } from './answer-roller.ts';
import {
  type RollerBooking,
  type RollerGuest,
  rollerBooking,
  rollerGuests,
  rollerProducts,
  rollerVenue,
} from './roller-booking.ts';
import { RollerWebhooks } from './roller-webhooks.ts';

export interface RollerOptions extends RollerCredentials {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: {@link rollerBooking}. */
  readonly bookings?: Iterable<RollerBooking>;
  /** Default: {@link rollerGuests}. */
  readonly guests?: Readonly<Record<string, RollerGuest>>;
  /** Default: {@link rollerVenue}. */
  readonly venue?: unknown;
  /** Default: {@link rollerProducts}. */
  readonly products?: readonly { readonly type: string }[];
  /** The lifetime of a token. Default: a day. */
  readonly tokenLifetimeSeconds?: number;
  /** Whether only bookings created by the API can be changed by it. Default: false. */
  readonly isOnlyOwnChanged?: boolean;
  /** What is stored of a change; the documentation does not say that everything is. Default: all of it. */
  readonly keeps?: (changed: RollerBooking, former: RollerBooking) => RollerBooking;
  /** The answer to a read, of which `nth` counts those before. Default: the booking. */
  readonly shows?: (booking: Omit<RollerBooking, 'metadata'>, nth: number) => unknown;
  /** Whether webhook URLs may lack TLS, as a host under test does. Default: false. */
  readonly isHttpTaken?: boolean;
}

/** ROLLER's REST API over real HTTP. */
export interface SimulatedRoller extends RecordingServer<RollerRoute> {
  /** By unique id. */
  readonly bookings: ReadonlyMap<string, RollerBooking>;
  readonly tokens: IssuedTokens;
  readonly webhooks: RollerWebhooks;
  /** Adds a booking, or replaces the one with the same unique id. */
  put(booking: RollerBooking): void;
  /** Sends the booking webhook, with the key that it was created with. Returns the status of the response. */
  announce(webhookUrl: string, uniqueId: string, apiKey?: string): Promise<number>;
}

const dayInSeconds = 86_400;
const coolingOffMs = 60_000;

const tooManyRequests: SimulatedAnswer = { status: 429, body: 'Too Many Requests' };

/** Starts ROLLER's REST API on 127.0.0.1. Once its limits are exceeded, it refuses everything for a minute. */
export async function startRoller({
  port,
  bookings: initialBookings = [rollerBooking],
  guests = rollerGuests,
  venue = rollerVenue,
  products = rollerProducts,
  tokenLifetimeSeconds = dayInSeconds,
  isOnlyOwnChanged = false,
  keeps = (changed) => changed,
  shows = (booking) => booking,
  isHttpTaken = false,
  ...credentials
}: RollerOptions): Promise<SimulatedRoller> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.uniqueId, booking]));
  const tokens = new IssuedTokens(tokenLifetimeSeconds);
  const webhooks = new RollerWebhooks(isHttpTaken);
  let reads = 0;
  const state = {
    bookings,
    guests,
    venue,
    products,
    webhooks,
    isOnlyOwnChanged,
    keeps,
    shows: (booking: Omit<RollerBooking, 'metadata'>) => shows(booking, reads++),
  };
  let isShutOutUntil = 0;
  const server = await startRecordingServer<RollerRoute>({
    port,
    routeOf: routeOfRoller,
    answer: (request) =>
      performance.now() < isShutOutUntil
        ? tooManyRequests
        : answerRoller(request, state, credentials, tokens),
  });
  return {
    ...server,
    bookings,
    tokens,
    webhooks,
    put: (booking) => void bookings.set(booking.uniqueId, booking),
    limitRequests(windows) {
      isShutOutUntil = 0;
      return server.limitRequests(windows, () => {
        isShutOutUntil = performance.now() + coolingOffMs;
        return tooManyRequests;
      });
    },
    async announce(webhookUrl, uniqueId, apiKey = 'no key') {
      const now = new Date().toISOString();
      const data = bookings.get(uniqueId);
      const message = {
        id: randomUUID(),
        sendDate: now,
        type: 'Booking',
        eventType: 'Updated',
        eventDate: now,
      };
      const headers = { 'content-type': 'application/json', 'x-roller-apikey': apiKey };
      const body = JSON.stringify({ ...message, data });
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status;
    },
  };
}

export type { RollerCredentials, RollerRoute } from './answer-roller.ts';
export {
  type RollerBooking,
  type RollerGuest,
  type RollerItem,
  type RollerTicket,
  rollerBooking,
  rollerGuestId,
  rollerGuests,
  rollerProducts,
  rollerVenue,
} from './roller-booking.ts';
export { type RollerWebhook, RollerWebhooks } from './roller-webhooks.ts';
