import type { Fault, ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import { type CheckfrontBooking, writeDetail, writeIndex } from './checkfront-booking.ts';

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
export type CheckfrontRoute = 'read' | 'index' | 'company' | 'notes' | 'note' | 'guests';

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
export function datedNote(note: Omit<CheckfrontNote, 'date'>): CheckfrontNote {
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

export interface CheckfrontRecords {
  /** By code. */
  readonly bookings: Map<string, CheckfrontBooking>;
  /** Append-only. */
  readonly notes: CheckfrontNote[];
  readonly hasApiV4: boolean;
  readonly guestsPerPage: number;
}

const guestsPath = /^\/api\/4\.0\/bookings\/([^/?]+)\/guests\/(?:\?(.*))?$/;
const bookingPath = /^\/api\/3\.0\/booking\/([^/?]+)(\/note)?(?:\?(.*))?$/;

export function routeOfCheckfront(method: string, path: string): CheckfrontRoute | 'other' {
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
export function answerCheckfront(
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
