import { createHmac, randomUUID } from 'node:crypto';
import { type RecordingServer, startRecordingServer } from '@waiver-service/simulator';
import { answerBookeo, type BookeoKeys, type BookeoRoute, routeOfBookeo } from './answer-bookeo.ts';
import {
  type BookeoBooking,
  type BookeoCustomer,
  BookeoPeople,
  type BookeoPerson,
  bookeoBooking,
  bookeoCustomer,
} from './bookeo-booking.ts';
import { BookeoWebhooks } from './bookeo-webhooks.ts';

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
  /** The answer to a read, of which `nth` counts those before. Default: the booking. */
  readonly shows?: (booking: Readonly<Record<string, unknown>>, nth: number) => unknown;
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
  shows = (booking) => booking,
  ...keys
}: BookeoOptions): Promise<SimulatedBookeo> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.bookingNumber, booking]));
  const people = new BookeoPeople(customers, showsLinkedPeople);
  const notifications: string[] = [];
  const webhooks = new BookeoWebhooks();
  let reads = 0;
  const content = {
    bookings,
    people,
    customFields,
    keepsNewPeople,
    keepsCustomFields,
    notifications,
    webhooks,
    shows: (booking: Readonly<Record<string, unknown>>) => shows(booking, reads++),
  };
  const server = await startRecordingServer<BookeoRoute>({
    port,
    routeOf: routeOfBookeo,
    answer: (request) => answerBookeo(request, content, keys),
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
export { type BookeoWebhook, BookeoWebhooks } from './bookeo-webhooks.ts';
