import {
  type AccountId,
  installResponseSchema,
  type SignableRequest,
  type Waiver,
} from '@waiver-service/core';
import { type RecordingServer, startRecordingServer } from '../http/recording-server.ts';
import { answerTokenRequest, type TokenSource } from '../tokens/tokens.ts';
import { answerGuestUpdate, answerRead, parsePath, refuse } from './answer.ts';
import { BookingCollection, type ServedForm, type SimulatedBooking, seededBookings } from './bookings.ts';

/** The routes for which faults can be planned. */
export type BookingSystemRoute = 'read' | 'guest-update' | 'token' | 'authorize';

export interface BookingSystemOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** The header that carries the key when a booking is read. Default: `api-key`. */
  readonly authHeaderName?: string;
  /** The header that carries the key in Guest Update. Default: `API-key`. */
  readonly guestUpdateAuthHeaderName?: string;
  readonly apiKey: string;
  /** Verifies a request, for a system that requires more than the key in a header: a signature, a token. */
  readonly isAuthentic?: (request: SignableRequest) => boolean;
  /**
   * For a system that requires tokens in place of the key: it issues them at `POST /token`; if a person must agree, the
   * page for that is at `GET /authorize`.
   */
  readonly tokens?: TokenSource;
  readonly pathShape: 'path' | 'query';
  readonly form: ServedForm;
  /** Default: {@link seededBookings}. */
  readonly bookings?: Iterable<SimulatedBooking>;
  /** The pools that may read. Default: any, but one is required. */
  readonly pools?: readonly string[];
}

/** A booking system over real HTTP. */
export interface SimulatedBookingSystem extends RecordingServer<BookingSystemRoute> {
  readonly bookings: BookingCollection;
  /** The form in which bookings are served; can be changed at any time. */
  form: ServedForm;
  /** The waivers received and not voided, by waiver id. */
  readonly waivers: ReadonlyMap<string, Waiver>;
  /** By pool. */
  readonly installations: ReadonlyMap<string, Installation>;
  /** Makes the install call (contract 4.4). Throws an error with the response if it is refused. */
  install(call: InstallCall): Promise<Installation>;
  /** Notifies the webhook URL of every installation that a booking was created or changed. */
  announce(bookingId: string): Promise<readonly AnnouncementAnswer[]>;
}

/** Starts a booking system on 127.0.0.1 (contract 4.1, 4.2). */
export async function startBookingSystem({
  port,
  authHeaderName = 'api-key',
  guestUpdateAuthHeaderName = 'API-key',
  apiKey,
  tokens,
  isAuthentic = tokens && (({ headers }) => tokens.issued.accepts(headers)),
  pathShape,
  form,
  bookings: initialBookings = seededBookings,
  pools,
}: BookingSystemOptions): Promise<SimulatedBookingSystem> {
  const bookings = new BookingCollection(initialBookings);
  const waivers = new Map<string, Waiver>();
  const installations = new Installations(apiKey);
  const keyHeader = (name: string) => (isAuthentic === undefined ? { name, apiKey } : undefined);
  let servedForm = form;
  const tokenRouteOf = (method: string, path: string) => {
    if (tokens === undefined) return undefined;
    if (method === 'POST' && path === '/token') return 'token';
    return tokens.grants && method === 'GET' && path.startsWith('/authorize?') ? 'authorize' : undefined;
  };
  const server = await startRecordingServer<BookingSystemRoute>({
    port,
    isAuthentic:
      isAuthentic &&
      ((request) => {
        const { method, url } = request;
        return tokenRouteOf(method, url.pathname + url.search) !== undefined || isAuthentic(request);
      }),
    routeOf: (method, path) => tokenRouteOf(method, path) ?? parsePath(method, path)?.route ?? 'other',
    answer(request) {
      if (tokens !== undefined && request.route === 'token') return answerTokenRequest(request, tokens);
      if (tokens?.grants !== undefined && request.route === 'authorize')
        return tokens.grants.answerPage(request.path);
      if (request.route === 'read') {
        const rules = { keyHeader: keyHeader(authHeaderName), pathShape, pools };
        return answerRead(request, bookings, servedForm, rules);
      }
      if (request.route === 'guest-update') {
        return answerGuestUpdate(request, waivers, keyHeader(guestUpdateAuthHeaderName));
      }
      return refuse(404, 'there is no such address');
    },
  });
  return {
    ...server,
    bookings,
    waivers,
    installations: installations.byPool,
    install: (call) => installations.install(call),
    announce: (bookingId) => installations.announce(bookingId),
    get form() {
      return servedForm;
    },
    set form(next) {
      servedForm = next;
    },
  };
}

/** The input for installing the booking system for a pool (contract 4.4). */
export interface InstallCall {
  /** The waiver service's base address. */
  readonly baseUrl: string;
  readonly installName: string;
  /** The global install key. */
  readonly key: string;
  readonly pool: string;
  readonly accountId: AccountId;
}

/** The result of an install. */
export interface Installation {
  readonly pool: string;
  readonly webhookUrl: string;
  readonly appPoolKey: string;
}

/** The waiver service's response to an inbound call. */
export interface AnnouncementAnswer {
  readonly pool: string;
  readonly status: number;
  readonly body: unknown;
}

/** Makes a simulated booking system's calls to the waiver service, and keeps its installations. */
class Installations {
  readonly #apiKey: string;
  readonly #installed = new Map<string, Installation>();

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  /** Makes the install call and stores the result. Throws an error with the response if it is refused. */
  async install({ baseUrl, installName, key, pool, accountId }: InstallCall): Promise<Installation> {
    const url = `${baseUrl.replace(/\/$/, '')}/integration/install/${installName}`;
    const { status, body } = await post(url, { key, pool, accountId, apiKey: this.#apiKey });
    if (status !== 200) throw new Error(`install was answered ${status}: ${JSON.stringify(body)}`);
    const { webhookUrl, apiKey } = installResponseSchema.parse(body);
    const installation = { pool, webhookUrl, appPoolKey: apiKey };
    this.#installed.set(pool, installation);
    return installation;
  }

  get byPool(): ReadonlyMap<string, Installation> {
    return this.#installed;
  }

  /** Notifies the webhook URL of every installation that a booking was created or changed. */
  async announce(bookingId: string): Promise<readonly AnnouncementAnswer[]> {
    return Promise.all(
      [...this.#installed.values()].map(async ({ pool, webhookUrl, appPoolKey }) => {
        const answer = await post(webhookUrl, { id: bookingId, pool }, { 'api-key': appPoolKey });
        return { pool, ...answer };
      }),
    );
  }
}

async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}
