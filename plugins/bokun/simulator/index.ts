import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignableRequest } from '@waiver-service/core';
import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { z } from 'zod';

/** A person in a booking, at the price of a category; additional fields are served unchanged. */
interface BokunPerson {
  readonly id: number;
  readonly passengerInfo: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A booked activity; additional fields are served unchanged. */
interface BokunActivity {
  readonly bookingId: number;
  readonly status: string;
  /** Midnight UTC of its day, in milliseconds. */
  readonly date: number;
  /** In the vendor's time zone: `09:00`. */
  readonly startTime: string | null;
  readonly pricingCategoryBookings: readonly BokunPerson[];
  readonly [field: string]: unknown;
}

/** A booking as Bókun serves it, known by its code and by its number; additional fields are served unchanged. */
export interface BokunBooking {
  readonly confirmationCode: string;
  readonly bookingId: number;
  readonly status: string;
  readonly activityBookings: readonly BokunActivity[];
  readonly [field: string]: unknown;
}

const adults = { id: 3646, title: 'Adults', ticketCategory: 'ADULT', occupancy: 1 };

const person = (id: number, passengerInfo: BokunPerson['passengerInfo']): BokunPerson => ({
  id,
  pricingCategoryId: adults.id,
  pricingCategory: adults,
  leadPassenger: false,
  age: 0,
  passengerInfo: { id: id + 1000, email: null, phoneNumber: null, ...passengerInfo },
  bookingAnswers: [],
  bookedTitle: 'Adults',
  quantity: 1,
  answers: [],
});

/** A whale watching for two adults, one of whom has a name. */
export const bokunBooking: BokunBooking = {
  confirmationCode: 'SEA-105698735',
  bookingId: 105698735,
  externalBookingReference: null,
  status: 'CONFIRMED',
  language: 'en',
  customer: {
    id: 1,
    contactDetailsHidden: false,
    firstName: 'Marta',
    lastName: 'Vieira',
    email: 'marta@example.com',
    phoneNumber: '+351 21 555 0142',
  },
  accommodationBookings: [],
  routeBookings: [],
  giftCardBookings: [],
  activityBookings: [
    {
      bookingId: 138308695,
      parentBookingId: 105698735,
      confirmationCode: 'SEA-105698735',
      productConfirmationCode: 'SEA-T138308695',
      status: 'CONFIRMED',
      title: 'Whale watching (Standard)',
      productId: 1287578,
      product: { id: 1287578, title: 'Whale watching' },
      activity: { id: 1287578, title: 'Whale watching', timeZone: 'UTC', bookingType: 'DATE_AND_TIME' },
      date: Date.UTC(2027, 5, 12),
      startTime: '09:00',
      startTimeId: 5782388,
      startDateTime: Date.UTC(2027, 5, 12, 9),
      endDateTime: Date.UTC(2027, 5, 12, 12),
      pricingCategoryBookings: [
        person(354425801, { firstName: 'Marta', lastName: 'Vieira', dateOfBirth: '1990-02-01' }),
        person(354425802, { firstName: null, lastName: null }),
      ],
      totalParticipants: 2,
    },
  ],
};

/** The two halves of an API key. */
export interface BokunKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

const datePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
// Bókun documents no tolerance: this one is narrow.
const maxAgeMs = 5 * 60 * 1000;

/** Whether Bókun would accept a request: its access key, a date in UTC, and a signature over both, the method and the path. */
function isSigned({ method, url, headers, now }: SignableRequest, keys: BokunKeys): boolean {
  const date = headers['x-bokun-date'] ?? '';
  if (!datePattern.test(date)) return false;
  const age = now.getTime() - Date.parse(`${date.replace(' ', 'T')}Z`);
  if (!(Math.abs(age) <= maxAgeMs) || headers['x-bokun-accesskey'] !== keys.accessKey) return false;
  const expected = createHmac('sha1', keys.secretKey)
    .update(date)
    .update(keys.accessKey)
    .update(method)
    .update(url.href.slice(url.origin.length))
    .digest();
  const given = Buffer.from(headers['x-bokun-signature'] ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const querySchema = z.object({
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).default(50),
  startDateRange: z
    .object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      includeLower: z.boolean().default(true),
      includeUpper: z.boolean().default(true),
    })
    .optional(),
});
type Query = z.infer<typeof querySchema>;

const hourMs = 3_600_000;

/** The day and the vendor's local time of an activity, as if they were UTC. */
function startDateOf({ date, startTime }: BokunActivity): number {
  const [hours = 0, minutes = 0] = (startTime ?? '').split(':').map(Number);
  return date + (hours + minutes / 60) * hourMs;
}

function isIn({ startDateRange }: Query, time: number): boolean {
  if (startDateRange === undefined) return true;
  const { from, to, includeLower, includeUpper } = startDateRange;
  const [lower, upper] = [Date.parse(from), Date.parse(to)];
  return (
    (time > lower || (includeLower && time === lower)) && (time < upper || (includeUpper && time === upper))
  );
}

const entriesOf = ({ confirmationCode, bookingId, activityBookings }: BokunBooking) =>
  activityBookings.map((activity) => ({
    id: activity.bookingId,
    parentBookingId: bookingId,
    confirmationCode,
    status: activity.status,
    startDate: startDateOf(activity),
  }));

const readQuery = (body: Buffer) => {
  try {
    return querySchema.safeParse(JSON.parse(body.toString())).data;
  } catch {
    return undefined;
  }
};

/** Answers a search for booked products: an entry for each activity. */
function searchProductBookings(
  { headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>,
  bookings: Iterable<BokunBooking>,
): SimulatedAnswer {
  const query = /^application\/json\b/.test(headers['content-type'] ?? '') ? readQuery(body) : undefined;
  if (query === undefined) return { status: 400, body: { message: 'The query is not valid', fields: {} } };
  const { page, pageSize } = query;
  const found = [...bookings].flatMap(entriesOf).filter(({ startDate }) => isIn(query, startDate));
  return {
    status: 200,
    body: {
      tookInMillis: 3,
      totalHits: found.length,
      query,
      results: found.slice((page - 1) * pageSize, page * pageSize),
    },
  };
}

/** The topic of an app's webhook. */
export type BokunTopic = 'bookings/create' | 'bookings/update' | 'bookings/cancel' | 'apps/uninstall';

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64');

/** Signs a webhook's headers, all of which begin with `x-bokun-`, with the app's secret. */
export function signedHeaders(
  headers: Readonly<Record<string, string>>,
  appSecret: string,
): Readonly<Record<string, string>> {
  const signed = Object.entries(headers)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return { ...headers, 'x-bokun-hmac': createHmac('sha256', appSecret).update(signed).digest('hex') };
}

/** Sends an app's webhook. Returns the status of the response. */
async function sendWebhook(
  webhookUrl: string,
  { bookingId }: BokunBooking,
  { topic, appSecret }: { readonly topic: BokunTopic; readonly appSecret: string },
): Promise<number> {
  const isAboutBooking = topic.startsWith('bookings/');
  const headers = {
    'x-bokun-apikey': 'app-key',
    'x-bokun-topic': topic,
    'x-bokun-vendor-id': globalId('Vendor', 4),
    ...(isAboutBooking && { 'x-bokun-booking-id': globalId('Booking', bookingId) }),
  };
  const body = { timestamp: '2027-06-01T11:06:32.419', ...(isAboutBooking && { bookingId }) };
  const response = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders(headers, appSecret) },
    body: JSON.stringify(body),
  });
  return response.status;
}

/** Sends the notification of a booking channel: the booking itself, with an empty topic. Returns the status of the response. */
async function sendNotification(webhookUrl: string, booking: BokunBooking): Promise<number> {
  const response = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-bokun-topic': '', 'x-bokun-booking-id': '' },
    body: JSON.stringify(booking),
  });
  return response.status;
}

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
