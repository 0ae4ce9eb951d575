import type { ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import type { FareHarborBooking } from './fareharbor-booking.ts';

export interface FareHarborKeys {
  readonly appKey: string;
  readonly userKey: string;
  readonly shortname: string;
}

/** The routes for which faults can be planned. */
export type FareHarborRoute = 'read' | 'note';

const bookingPath = /^\/api\/external\/v1\/companies\/([^/?]+)\/bookings\/([^/?]+)\/(note\/)?$/;

export function routeOfFareHarbor(method: string, path: string): FareHarborRoute | 'other' {
  const match = bookingPath.exec(path);
  if (match === null) return 'other';
  const isNote = match[3] !== undefined;
  return isNote ? (method === 'PUT' ? 'note' : 'other') : method === 'GET' ? 'read' : 'other';
}

const refuse = (status: number, error: string): SimulatedAnswer => ({ status, body: { error, status } });

function refusalOfKeys(headers: ReceivedRequest['headers'], keys: FareHarborKeys) {
  const app = headers['x-fareharbor-api-app'];
  const user = headers['x-fareharbor-api-user'];
  if (app === undefined || user === undefined) return refuse(400, 'key-missing');
  if (app !== keys.appKey) return refuse(403, 'app-key-invalid');
  return user === keys.userKey ? undefined : refuse(403, 'user-key-invalid');
}

function noteIn({ body, headers }: ReceivedRequest): string | SimulatedAnswer {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    return refuse(400, 'content-type-invalid-error');
  }
  try {
    const { note } = Object(JSON.parse(body.toString('utf8')));
    return typeof note === 'string' ? note : refuse(400, 'booking-note-error');
  } catch {
    return refuse(400, 'book-data-parse-error');
  }
}

/** Answers a request as FareHarbor documents it. A booking has a single note, which a PUT replaces. */
export function answerFareHarbor(
  request: ReceivedRequest,
  bookings: Map<string, FareHarborBooking>,
  keys: FareHarborKeys,
): SimulatedAnswer {
  const refusal = refusalOfKeys(request.headers, keys);
  if (refusal !== undefined) return refusal;
  const [, shortname = '', uuid = ''] = (bookingPath.exec(request.path) ?? []).map((part) =>
    decodeURIComponent(part ?? ''),
  );
  if (shortname === '') return refuse(404, 'not-found');
  if (shortname !== keys.shortname) return refuse(404, 'company-shortname-invalid');
  const booking = bookings.get(uuid);
  if (booking === undefined) return refuse(404, 'booking-uuid-invalid');
  if (request.route === 'read') return { status: 200, body: { booking } };
  const note = noteIn(request);
  if (typeof note !== 'string') return note;
  const changed = { ...booking, note };
  bookings.set(uuid, changed);
  return { status: 200, body: { booking: changed } };
}
