import { guestUpdateSchema, type Waiver } from '@waiver-service/core';
import type { ReceivedRequest, SimulatedAnswer } from '../http/received-request.ts';
import { type BookingCollection, type ServedForm, writeBooking } from './bookings.ts';

type BookingSystemPath =
  | { readonly route: 'read'; readonly shape: 'path' | 'query'; readonly bookingId: string }
  | { readonly route: 'guest-update'; readonly bookingId: string; readonly guestPart: string };

// Matched before decoding: an encoded slash is part of an id, a bare one is not.
const onePath = /^\/bookings\/([^/]+)$/;
const queryPath = /^\/bookings$/;
const guestPath = /^\/bookings\/([^/]+)\/guests(?:\/([^/]*))?$/;

/** Parses a raw path; `undefined` if it is unknown or cannot be decoded. */
export function parsePath(method: string, rawPath: string): BookingSystemPath | undefined {
  const [path = '', query = ''] = splitOnce(rawPath, '?');
  try {
    const guest = guestPath.exec(path);
    if (guest && method === 'POST') {
      return {
        route: 'guest-update',
        bookingId: decodeURIComponent(guest[1] ?? ''),
        guestPart: decodeURIComponent(guest[2] ?? ''),
      };
    }
    if (method !== 'GET') return undefined;
    const one = onePath.exec(path);
    if (one) return { route: 'read', shape: 'path', bookingId: decodeURIComponent(one[1] ?? '') };
    if (!queryPath.test(path)) return undefined;
    return { route: 'read', shape: 'query', bookingId: new URLSearchParams(query).get('id') ?? '' };
  } catch {
    return undefined;
  }
}

/** The query of a raw path. */
function queryOf(rawPath: string): URLSearchParams {
  return new URLSearchParams(splitOnce(rawPath, '?')[1]);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** An error with the contract's body (contract 7). */
export function refuse(status: number, message: string): SimulatedAnswer {
  return { status, body: { success: false, message } };
}

/** The header in which the account's key is expected. */
interface KeyHeader {
  readonly name: string;
  readonly apiKey: string;
}

/** The response to a request without the account's key; `undefined` if it has it, or none is required. */
function refusalOfKey(
  { headers }: ReceivedRequest,
  expected: KeyHeader | undefined,
): SimulatedAnswer | undefined {
  if (expected === undefined || headers[expected.name.toLowerCase()] === expected.apiKey) return undefined;
  return refuse(401, `the header ${expected.name} does not carry the account's key`);
}

interface ReadRules {
  readonly keyHeader: KeyHeader | undefined;
  readonly pathShape: 'path' | 'query';
  /** The pools that may read; `undefined`: any, but one is required. */
  readonly pools: readonly string[] | undefined;
}

/** Answers Booking Details (contract 4.1, 7, 9). */
export function answerRead(
  request: ReceivedRequest,
  bookings: BookingCollection,
  form: ServedForm,
  { keyHeader, pathShape, pools }: ReadRules,
): SimulatedAnswer {
  const read = parsePath(request.method, request.path);
  if (read?.route !== 'read' || read.shape !== pathShape) return refuse(404, 'there is no such address');
  const refusal = refusalOfKey(request, keyHeader);
  if (refusal) return refusal;
  const pool = queryOf(request.path).get('pool');
  if (!pool) return refuse(400, 'pool is missing from the query');
  if (pools && !pools.includes(pool)) return refuse(403, `pool ${pool} is not connected`);
  const booking = bookings.get(read.bookingId);
  if (!booking) return refuse(404, `booking ${read.bookingId} was not found`);
  return { status: 200, body: writeBooking(booking, form) };
}

/** Answers a Guest Update, and stores or removes the waiver (contract 4.2). */
export function answerGuestUpdate(
  request: ReceivedRequest,
  waivers: Map<string, Waiver>,
  keyHeader: KeyHeader | undefined,
): SimulatedAnswer {
  const refusal = refusalOfKey(request, keyHeader);
  if (refusal) return refusal;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refuse(415, 'the body must be application/json');
  }
  const update = guestUpdateSchema.safeParse(readJson(request.body));
  if (!update.success) return refuse(400, update.error.issues.map(describeIssue).join('; '));
  const { waiver } = update.data;
  const disagreement = findDisagreement(request, waiver);
  if (disagreement) return refuse(400, disagreement);
  if (waiver.deleted) waivers.delete(waiver.id);
  else waivers.set(waiver.id, waiver);
  return { status: 200, body: { success: true } };
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.join('.') || 'body'}: ${message}`;
}

// Path, query and body must agree: this reveals a badly encoded id.
function findDisagreement(request: ReceivedRequest, waiver: Waiver): string | undefined {
  const path = parsePath(request.method, request.path);
  const query = queryOf(request.path);
  if (path?.route !== 'guest-update') return 'the address is not that of a Guest Update';
  if (path.bookingId !== waiver.bookingId) return 'the path and the body name different bookings';
  if (!['', waiver.id, waiver.bookingGuestId].includes(path.guestPart)) {
    return 'the path names neither the guest nor the waiver';
  }
  if ((query.get('bookingId') ?? waiver.bookingId) !== waiver.bookingId) {
    return 'the query and the body name different bookings';
  }
  if ((query.get('bookingGuestId') ?? waiver.bookingGuestId) !== waiver.bookingGuestId) {
    return 'the query and the body name different guests';
  }
  return undefined;
}
