import { type RecordingServer, startRecordingServer } from '@waiver-service/simulator';
import {
  answerCheckfront,
  type CheckfrontNote,
  type CheckfrontRoute,
  datedNote,
  routeOfCheckfront,
} from './answer-checkfront.ts';
import { type CheckfrontBooking, checkfrontBooking, writeWebhook } from './checkfront-booking.ts';

/** The formats that an owner can choose for Checkfront's webhooks. */
export type CheckfrontWebhookFormat = 'json' | 'form' | 'xml';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function formFields(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    formFields(inner, name === '' ? key : `${name}[${key}]`),
  );
}

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => element(name, one)).join('');
  const { '@attributes': attributes = {}, ...fields } = isFields(value) ? value : {};
  const written = isFields(attributes) ? Object.entries(attributes) : [];
  const start = [name, ...written.map(([key, text]) => `${key}="${escapeXml(String(text))}"`)].join(' ');
  const inner = isFields(value)
    ? Object.entries(fields).map(([key, one]) => element(key, one))
    : [escapeXml(String(value))];
  return `<${start}>${inner.join('')}</${name}>`;
}

/** Formats a webhook's body. */
function formatWebhook(
  body: Fields,
  format: CheckfrontWebhookFormat,
): { readonly contentType: string; readonly text: string } {
  if (format === 'json') return { contentType: 'application/json', text: JSON.stringify(body) };
  if (format === 'form') {
    const text = String(new URLSearchParams(formFields(body, '')));
    return { contentType: 'application/x-www-form-urlencoded', text };
  }
  const text = `<?xml version="1.0" encoding="utf-8"?>\n${element('checkfront-notify', body)}\n`;
  return { contentType: 'application/xml', text };
}

export interface CheckfrontOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Default: one {@link checkfrontBooking}. */
  readonly bookings?: Iterable<CheckfrontBooking>;
  /** Default: none. */
  readonly notes?: Iterable<CheckfrontNote>;
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
  notes: initialNotes = [],
  hasApiV4 = true,
  guestsPerPage = 25,
}: CheckfrontOptions): Promise<SimulatedCheckfront> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.code, booking]));
  const notes = [...initialNotes];
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

export {
  type CheckfrontNote,
  type CheckfrontRoute,
  criticalError,
} from './answer-checkfront.ts';
export {
  type CheckfrontBooking,
  type CheckfrontGuest,
  type CheckfrontItem,
  checkfrontBooking,
} from './checkfront-booking.ts';
