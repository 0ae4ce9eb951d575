import { createHmac, randomUUID } from 'node:crypto';
import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import { answerBookeo, type BookeoKeys, type BookeoRoute, routeOfBookeo } from './answer-bookeo.ts';
import {
  type BookeoBooking,
  type BookeoContent,
  type BookeoCustomer,
  BookeoPeople,
  type BookeoPerson,
  bookeoBooking,
  bookeoCustomer,
  readObject,
  refuse,
} from './bookeo-booking.ts';

/** A webhook of the account's API key. */
export interface BookeoWebhook {
  readonly id: string;
  readonly url: string;
  readonly domain: string;
  readonly type: string;
  /** Set once Bookeo has stopped calling it. */
  readonly blockedTime?: string;
  readonly blockedReason?: string;
}

const domains = ['bookings', 'seatblocks', 'resourceblocks', 'customers', 'payments'];
const types = ['created', 'updated', 'deleted'];

const webhookPath = /^\/webhooks(?:\/([^/]+))?$/;

export const isWebhookPath = (path: string): boolean => webhookPath.test(path);

// Tests listen on localhost, without TLS.
const isCallable = (url: unknown): url is string =>
  typeof url === 'string' && /^(?:https:\/\/|http:\/\/127\.0\.0\.1[:/])/.test(url) && URL.canParse(url);

/** The webhooks of one API key: at most one for each domain and type. */
export class BookeoWebhooks {
  readonly all: BookeoWebhook[] = [];

  /** Stops calling a webhook, as Bookeo does after too many failures. */
  block(id: string): void {
    const index = this.all.findIndex((hook) => hook.id === id);
    const hook = this.all[index];
    if (hook === undefined) throw new Error(`there is no webhook ${id}`);
    const blockedTime = new Date().toISOString();
    this.all[index] = { ...hook, blockedTime, blockedReason: 'too many consecutive failures' };
  }

  answer({ method, path, body }: ReceivedRequest<string>): SimulatedAnswer {
    const id = webhookPath.exec(path.split('?')[0] ?? '')?.[1];
    if (id !== undefined) return this.#answerForOne(method, decodeURIComponent(id));
    if (method === 'GET') {
      const info = { totalItems: this.all.length, totalPages: 1, currentPage: 1 };
      return { status: 200, body: { data: this.all, info } };
    }
    return method === 'POST' ? this.#create(readObject(body)) : refuse(405, 'no such method');
  }

  #answerForOne(method: string, id: string): SimulatedAnswer {
    const index = this.all.findIndex((hook) => hook.id === id);
    if (index < 0) return refuse(404, 'there is no such webhook');
    if (method === 'GET') return { status: 200, body: this.all[index] };
    if (method !== 'DELETE') return refuse(405, 'no such method');
    this.all.splice(index, 1);
    return { status: 200, body: {} };
  }

  #create(sent: ReturnType<typeof readObject>): SimulatedAnswer {
    const { url, domain, type, ...others } = sent ?? {};
    if (!isCallable(url)) return refuse(400, 'the url must be https');
    if (typeof domain !== 'string' || !domains.includes(domain)) return refuse(400, 'no such domain');
    if (typeof type !== 'string' || !types.includes(type)) return refuse(400, 'no such type');
    if (Object.keys(others).length > 0) return refuse(400, `unknown fields: ${Object.keys(others)}`);
    const replaced = this.all.findIndex((hook) => hook.domain === domain && hook.type === type);
    if (replaced >= 0) this.all.splice(replaced, 1);
    const hook = { id: randomUUID(), url, domain, type };
    this.all.push(hook);
    return { status: 201, headers: { Location: `/v2/webhooks/${hook.id}` }, body: hook };
  }
}

export interface BookeoOptions extends BookeoKeys {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: {@link bookeoBooking}. */
  readonly bookings?: Iterable<BookeoBooking>;
  /** Default: {@link bookeoCustomer}. */
  readonly customers?: Iterable<BookeoCustomer>;
  /** The names and ids of the account's customer custom fields. Default: those of {@link bookeoCustomer}. */
  readonly customFields?: readonly string[];
  /**
   * Whether an existing booking keeps the details of a new person (`PNEW`). Bookeo documents them for new bookings only.
   * Default: true, as public clients expect.
   */
  readonly keepsNewPeople?: boolean;
  /**
   * Whether a changed person keeps the custom fields in the change; otherwise, the fields stay as they were. Bookeo
   * does not document what happens to a field that is not one of customers or participants. Default: true.
   */
  readonly keepsCustomFields?: boolean;
  /** Whether the key may read people who are linked to customers. Default: true. */
  readonly showsLinkedPeople?: boolean;
}

/** Distinguishes a webhook message from others. */
interface BookeoMessage {
  /** Default: a new one. A resent message keeps its id. */
  readonly messageId?: string;
  /** Default: now. */
  readonly sentAt?: Date;
  /** Whether earlier messages were lost. */
  readonly previousMessageLost?: boolean;
  /** Default: the application's. */
  readonly secretKey?: string;
}

/** Bookeo's API v2 over real HTTP. */
export interface SimulatedBookeo extends RecordingServer<BookeoRoute> {
  /** By booking number. */
  readonly bookings: ReadonlyMap<string, BookeoBooking>;
  /** Adds a booking, or replaces the one with the same number. */
  put(booking: BookeoBooking): void;
  readonly webhooks: BookeoWebhooks;
  /** Who was notified of a change by mail: `notifyUsers`, `notifyCustomer`. */
  readonly notifications: readonly string[];
  /** A customer, or a person linked to one. */
  person(customerId: string, linkedPersonId?: string): BookeoPerson | undefined;
  /** Sends Bookeo's signed webhook about a changed booking. Returns the status of the response. */
  announce(webhookUrl: string, bookingNumber: string, message?: BookeoMessage): Promise<number>;
}

/** Starts Bookeo's API v2 on 127.0.0.1. */
export async function startBookeo({
  port,
  bookings: initialBookings = [bookeoBooking],
  customers = [bookeoCustomer],
  customFields = ['F1', 'Waiver', 'F2', 'Shoe size'],
  keepsNewPeople = true,
  keepsCustomFields = true,
  showsLinkedPeople = true,
  ...keys
}: BookeoOptions): Promise<SimulatedBookeo> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.bookingNumber, booking]));
  const people = new BookeoPeople(customers, showsLinkedPeople);
  const notifications: string[] = [];
  const webhooks = new BookeoWebhooks();
  const server = await startRecordingServer<BookeoRoute>({
    port,
    routeOf: routeOfBookeo,
    answer: (request) =>
      answerBookeo(
        request,
        { bookings, people, customFields, keepsNewPeople, keepsCustomFields, notifications, webhooks },
        keys,
      ),
  });
  return {
    ...server,
    bookings,
    notifications,
    webhooks,
    put: (booking) => void bookings.set(booking.bookingNumber, booking),
    person: (customerId, linkedPersonId) => people.find(customerId, linkedPersonId),
    async announce(webhookUrl, bookingNumber, message = {}) {
      const { messageId = randomUUID(), sentAt = new Date(), secretKey = keys.secretKey } = message;
      const item = bookings.get(bookingNumber);
      const body = JSON.stringify({ itemId: bookingNumber, timestamp: sentAt.toISOString(), item });
      const timestamp = String(sentAt.getTime());
      const signed = `${timestamp}${messageId}${webhookUrl}${body}`;
      const headers = {
        'content-type': 'application/json',
        'X-Bookeo-Timestamp': timestamp,
        'X-Bookeo-MessageId': messageId,
        'X-Bookeo-Signature': createHmac('sha256', secretKey).update(signed).digest('hex'),
        ...(message.previousMessageLost ? { 'X-Bookeo-PreviousMessageLost': 'true' } : {}),
      };
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status;
    },
  };
}

const maxPeriodMs = 31 * 86_400_000;

/** A period of a search; `undefined` if the search does not have it, a message if Bookeo refuses it. */
function periodOf(query: URLSearchParams, startName: string, endName: string) {
  const [start, end] = [query.get(startName), query.get(endName)];
  if (start === null && end === null) return undefined;
  const [from, until] = [Date.parse(start ?? ''), Date.parse(end ?? '')];
  if (Number.isNaN(from) || Number.isNaN(until)) return `${startName} and ${endName} are both required`;
  return until - from > maxPeriodMs ? `${startName} to ${endName} is more than 31 days` : { from, until };
}

/** `GET /bookings`: a page of the bookings in a period, by start or last change. Tokens encode the search. */
export function listBookings(asked: URLSearchParams, { bookings, people }: BookeoContent): SimulatedAnswer {
  const token = asked.get('pageNavigationToken');
  const query = token === null ? asked : new URLSearchParams(Buffer.from(token, 'base64url').toString());
  const started = periodOf(query, 'startTime', 'endTime');
  const changed = periodOf(query, 'lastUpdatedStartTime', 'lastUpdatedEndTime');
  const problem = [started, changed].find((period) => typeof period === 'string');
  if (problem !== undefined) return refuse(400, problem);
  if (started === undefined && changed === undefined) return refuse(400, 'a period is required');
  const limit = Number(query.get('itemsPerPage') ?? 50);
  if (!(limit >= 1 && limit <= 100)) return refuse(400, 'itemsPerPage is 1 to 100');
  const isIn = (time: unknown, period: typeof started) =>
    period === undefined ||
    typeof period === 'string' ||
    (Date.parse(String(time)) >= period.from && Date.parse(String(time)) <= period.until);
  const found = [...bookings.values()].filter(
    ({ startTime, lastChangeTime, creationTime, canceled }) =>
      isIn(startTime, started) &&
      isIn(lastChangeTime ?? creationTime, changed) &&
      (canceled !== true || query.get('includeCanceled') === 'true'),
  );
  const page = token === null ? 1 : Number(asked.get('pageNumber') ?? 1);
  const totalPages = Math.max(1, Math.ceil(found.length / limit));
  return {
    status: 200,
    body: {
      data: found.slice((page - 1) * limit, page * limit).map((one) => people.expanded(one, query)),
      info: {
        totalItems: found.length,
        totalPages,
        currentPage: page,
        ...(totalPages > 1 ? { pageNavigationToken: Buffer.from(String(query)).toString('base64url') } : {}),
      },
    },
  };
}

export type { BookeoKeys, BookeoRoute } from './answer-bookeo.ts';
export {
  type BookeoBooking,
  type BookeoCustomer,
  type BookeoCustomField,
  type BookeoParticipant,
  type BookeoPerson,
  bookeoBooking,
  bookeoCustomer,
} from './bookeo-booking.ts';
