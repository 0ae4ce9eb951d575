import { type RecordingServer, startRecordingServer } from '@waiver-service/simulator';
import {
  answerCheckfront,
  type CheckfrontNote,
  type CheckfrontRoute,
  datedNote,
  routeOfCheckfront,
} from './answer-checkfront.ts';
import { writeWebhook } from './booking-shapes.ts';
import { type CheckfrontBooking, checkfrontBooking } from './checkfront-booking.ts';
import { type CheckfrontWebhookFormat, formatWebhook } from './webhook-formats.ts';

export interface CheckfrontOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Default: one {@link checkfrontBooking}. */
  readonly bookings?: Iterable<CheckfrontBooking>;
  /** Whether the account has API v4. Default: true. */
  readonly hasApiV4?: boolean;
  /** How many guests a page of API v4 has. Default: 25. */
  readonly guestsPerPage?: number;
}

/** Checkfront's API v3, and the guests of its API v4, over real HTTP; `url` is the base address of v3. */
export interface SimulatedCheckfront extends RecordingServer<CheckfrontRoute> {
  /** By code. */
  readonly bookings: ReadonlyMap<string, CheckfrontBooking>;
  /** Every note, oldest first. */
  readonly notes: readonly CheckfrontNote[];
  /** Adds a booking, or replaces the one with the same code. */
  put(booking: CheckfrontBooking): void;
  /** Adds a private note by staff. */
  addNote(code: string, body: string): void;
  /** Sends Checkfront's webhook about a changed booking. Returns the status of the response. */
  announce(url: string, code: string, format?: CheckfrontWebhookFormat): Promise<number>;
}

/** Starts Checkfront's API on 127.0.0.1. */
export async function startCheckfront({
  port,
  apiKey,
  apiSecret,
  bookings: initialBookings = [checkfrontBooking()],
  hasApiV4 = true,
  guestsPerPage = 25,
}: CheckfrontOptions): Promise<SimulatedCheckfront> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.code, booking]));
  const notes: CheckfrontNote[] = [];
  const records = { bookings, notes, hasApiV4, guestsPerPage };
  const server = await startRecordingServer<CheckfrontRoute>({
    port,
    routeOf: routeOfCheckfront,
    answer: (request) =>
      request.route === 'other'
        ? { status: 404, body: { error: { title: 'Not Found' } } }
        : answerCheckfront(request, records, `${apiKey}:${apiSecret}`),
  });
  return {
    ...server,
    url: `${server.url}/api/3.0`,
    bookings,
    notes,
    put: (booking) => void bookings.set(booking.code, booking),
    addNote(code, body) {
      notes.push(
        datedNote({ note_id: notes.length + 1, account_id: 2, body, private: true, booking_id: code }),
      );
    },
    async announce(url, code, format = 'json') {
      const booking = bookings.get(code);
      if (booking === undefined) throw new Error(`there is no booking ${code}`);
      const { contentType, text } = formatWebhook(writeWebhook(booking), format);
      const headers = { 'content-type': contentType };
      return (await fetch(url, { method: 'POST', headers, body: text })).status;
    },
  };
}
