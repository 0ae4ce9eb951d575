import {
  type Fault,
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';
import {
  type CheckfrontBooking,
  checkfrontBooking,
  writeDetail,
  writeIndex,
  writeWebhook,
} from './checkfront-booking.ts';

/**
 * A critical error as Checkfront documents it: an object with the error, without the request's status. Its HTTP status
 * is not documented.
 */
export const criticalError = (title: string): Fault => ({
  kind: 'status',
  status: 200,
  body: { error: { title } },
});

/** The routes for which faults can be planned. */
type CheckfrontRoute = 'read' | 'index' | 'company' | 'notes' | 'note' | 'guests';

/** A note in `booking/notes`. */
export interface CheckfrontNote {
  readonly note_id: number;
  readonly account_id: number;
  readonly date: string;
  readonly body: string;
  readonly private: boolean;
  /** The code of the booking. */
  readonly booking_id: string;
}

/** The account's time zone, in which its notes are dated. */
const utcOffset = '-07:00';
const utcOffsetMs = -7 * 3_600_000;
const dayMs = 86_400_000;

/** Dates a note with the current time in the account's time zone. */
function datedNote(note: Omit<CheckfrontNote, 'date'>): CheckfrontNote {
  const local = new Date(Date.now() + utcOffsetMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return { ...note, date: `${local}${utcOffset}` };
}

/** The notes of a day or a month in the account's time zone; without a date, of the last 30 days. */
function notesOf(notes: readonly CheckfrontNote[], date: string | null): readonly CheckfrontNote[] {
  const isMeant = (note: CheckfrontNote) =>
    date === null
      ? Date.parse(note.date) >= Date.now() - 30 * dayMs
      : note.date.startsWith(date.slice(0, 'yyyy-mm-dd'.length));
  return notes.filter(isMeant);
}

interface CheckfrontRecords {
  /** By code. */
  readonly bookings: Map<string, CheckfrontBooking>;
  /** Append-only. */
  readonly notes: CheckfrontNote[];
  readonly hasApiV4: boolean;
  readonly guestsPerPage: number;
}

const guestsPath = /^\/api\/4\.0\/bookings\/([^/?]+)\/guests\/(?:\?(.*))?$/;
const bookingPath = /^\/api\/3\.0\/booking\/([^/?]+)(\/note)?(?:\?(.*))?$/;

function routeOfCheckfront(method: string, path: string): CheckfrontRoute | 'other' {
  if (guestsPath.test(path)) return method === 'GET' ? 'guests' : 'other';
  if (method === 'GET' && path === '/api/3.0/company') return 'company';
  const match = bookingPath.exec(path);
  if (match === null) return 'other';
  if (match[2] !== undefined) return method === 'POST' ? 'note' : 'other';
  if (method !== 'GET') return 'other';
  return match[1] === 'index' || match[1] === 'notes' ? match[1] : 'read';
}

const refuse = (status: number, title: string): SimulatedAnswer => ({ status, body: { error: { title } } });
const accept = (body: unknown): SimulatedAnswer => ({ status: 200, body });

function addNote(request: ReceivedRequest, code: string, notes: CheckfrontNote[]): SimulatedAnswer {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
    return refuse(400, 'Parameters are sent as a form');
  }
  const body = new URLSearchParams(request.body.toString('utf8')).get('body') ?? '';
  if (body === '' || body.length > 3000) return refuse(400, 'A note has 1 to 3000 characters');
  notes.push(datedNote({ note_id: notes.length + 1, account_id: 1, body, private: false, booking_id: code }));
  return accept({ version: '3.0', request: { status: 'OK', resource: 'booking', id: 'note' } });
}

/** A page of a booking's guests. API v4 finds a booking only by its code. */
function listGuests(path: string, { bookings, hasApiV4, guestsPerPage: limit }: CheckfrontRecords) {
  const [, code = '', query] = guestsPath.exec(path) ?? [];
  const booking = bookings.get(decodeURIComponent(code));
  if (!hasApiV4 || booking === undefined) return refuse(404, 'Not Found');
  const { guests = [] } = booking;
  const offset = Number(new URLSearchParams(query).get('offset') ?? 0);
  const next = offset + limit;
  const nextPageUrl =
    next < guests.length
      ? `https://tours.checkfront.com/api/4.0/bookings/${code}/guests/?limit=${limit}&offset=${next}`
      : null;
  return accept({
    data: guests.slice(offset, next),
    meta: { records: { total: guests.length, limit, offset, nextPageUrl } },
  });
}

/** Whether a time in seconds meets a filter: a number, after `<` or `>` unless it must match exactly. */
function meets(filter: string | null, seconds: number): boolean {
  if (filter === null) return true;
  const wanted = Number(filter.replace(/^[<>]/, ''));
  if (filter.startsWith('<')) return seconds < wanted;
  return filter.startsWith('>') ? seconds > wanted : seconds === wanted;
}

/** A page of the bookings that meet the filters. */
function listBookings(path: string, { bookings }: CheckfrontRecords): SimulatedAnswer {
  const query = new URLSearchParams(bookingPath.exec(path)?.[3]);
  const timesOf = ({ items, start, end }: CheckfrontBooking) => ({
    start: Math.min(...items.map((item) => item.start ?? start ?? 0)),
    end: Math.max(...items.map((item) => item.end ?? end ?? 0)),
  });
  const found = [...bookings.values()].filter((booking) => {
    const { start, end } = timesOf(booking);
    return (
      meets(query.get('start_date'), start) &&
      meets(query.get('end_date'), end) &&
      meets(query.get('last_modified'), booking.lastModified ?? 0)
    );
  });
  return accept(
    writeIndex(found, { limit: Number(query.get('limit') ?? 100), page: Number(query.get('page') ?? 1) }),
  );
}

/** Answers a request as Checkfront documents it. */
function answerCheckfront(
  request: ReceivedRequest<CheckfrontRoute>,
  records: CheckfrontRecords,
  credentials: string,
): SimulatedAnswer {
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
  if (request.headers.authorization !== expected) return refuse(401, 'Authorization Required');
  const { bookings, notes } = records;
  if (request.route === 'guests') return listGuests(request.path, records);
  if (request.route === 'company')
    return accept({
      version: '3.0',
      request: { status: 'OK', resource: 'company' },
      company: { name: 'Tours' },
    });
  if (request.route === 'index') return listBookings(request.path, records);
  if (request.route === 'notes') {
    const date = new URLSearchParams(bookingPath.exec(request.path)?.[3]).get('date');
    const listed = notesOf(notes, date);
    return accept({
      version: '3.0',
      request: { status: 'OK', id: 'notes', page: 1, pages: 1 },
      notes: listed,
    });
  }
  const id = decodeURIComponent(bookingPath.exec(request.path)?.[1] ?? '');
  const booking = bookings.get(id) ?? [...bookings.values()].find(({ number }) => String(number) === id);
  if (booking === undefined) return refuse(404, 'Not Found');
  return request.route === 'read' ? accept(writeDetail(booking)) : addNote(request, booking.code, notes);
}

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
  type CheckfrontBooking,
  type CheckfrontGuest,
  type CheckfrontItem,
  checkfrontBooking,
} from './checkfront-booking.ts';
