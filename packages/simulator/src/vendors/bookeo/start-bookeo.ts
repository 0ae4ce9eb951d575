import { createHmac, randomUUID } from 'node:crypto';
import { type RecordingServer, startRecordingServer } from '../../http/recording-server.ts';
import { answerBookeo, type BookeoKeys, type BookeoRoute, routeOfBookeo } from './answer-bookeo.ts';
import {
  type BookeoBooking,
  type BookeoCustomer,
  type BookeoPerson,
  bookeoBooking,
  bookeoCustomer,
} from './bookeo-booking.ts';
import { BookeoPeople } from './bookeo-people.ts';

/** What a simulated Bookeo is started with. */
export interface BookeoOptions extends BookeoKeys {
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** {@link bookeoBooking} where absent. */
  readonly bookings?: Iterable<BookeoBooking>;
  /** {@link bookeoCustomer} where absent. */
  readonly customers?: Iterable<BookeoCustomer>;
  /** The names and ids of the account's customer custom fields; those of {@link bookeoCustomer} where absent. */
  readonly customFields?: readonly string[];
}

/** Bookeo's API v2 over real HTTP. */
export interface SimulatedBookeo extends RecordingServer<BookeoRoute> {
  /** By booking number. */
  readonly bookings: ReadonlyMap<string, BookeoBooking>;
  /** Adds a booking, or replaces the one of its number. */
  put(booking: BookeoBooking): void;
  /** Who was told by mail of a change: `notifyUsers`, `notifyCustomer`. */
  readonly notifications: readonly string[];
  /** A customer, or a person linked to one. */
  person(customerId: string, linkedPersonId?: string): BookeoPerson | undefined;
  /** Makes Bookeo's signed call about a changed booking. Returns the status of the answer. */
  announce(webhookUrl: string, bookingNumber: string): Promise<number>;
}

/** Starts Bookeo's API v2 on 127.0.0.1. */
export async function startBookeo({
  port,
  bookings: held = [bookeoBooking],
  customers = [bookeoCustomer],
  customFields = ['F1', 'Waiver', 'F2', 'Shoe size'],
  ...keys
}: BookeoOptions): Promise<SimulatedBookeo> {
  const bookings = new Map([...held].map((booking) => [booking.bookingNumber, booking]));
  const people = new BookeoPeople(customers);
  const notifications: string[] = [];
  const server = await startRecordingServer<BookeoRoute>({
    port,
    routeOf: routeOfBookeo,
    answer: (request) => answerBookeo(request, { bookings, people, customFields, notifications }, keys),
  });
  return {
    ...server,
    bookings,
    notifications,
    put: (booking) => void bookings.set(booking.bookingNumber, booking),
    person: (customerId, linkedPersonId) => people.find(customerId, linkedPersonId),
    async announce(webhookUrl, bookingNumber) {
      const item = bookings.get(bookingNumber);
      const body = JSON.stringify({ itemId: bookingNumber, timestamp: new Date().toISOString(), item });
      const [timestamp, messageId] = [String(Date.now()), randomUUID()];
      const signed = `${timestamp}${messageId}${webhookUrl}${body}`;
      const headers = {
        'content-type': 'application/json',
        'X-Bookeo-Timestamp': timestamp,
        'X-Bookeo-MessageId': messageId,
        'X-Bookeo-Signature': createHmac('sha256', keys.secretKey).update(signed).digest('hex'),
      };
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status;
    },
  };
}
