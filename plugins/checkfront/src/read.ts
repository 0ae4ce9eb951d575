import {
  type BookedSession,
  BookingNotFound,
  BookingSystemUnavailable,
  type FetchedBooking,
  type Guest,
  InvalidBookingResponse,
  type StatusGroup,
} from '@waiver-service/core';
import {
  bookingSegment,
  definedFields,
  expectObject,
  finishNativeBooking,
  isJsonObject,
  type JsonObject,
  objectOf,
  percentEncode,
  quoted,
  Reading,
  raiseForStatus,
  readAllPages,
  requiredObjects,
  requiredText,
  statusGroupOf,
  textOf,
  vendorContact,
  vendorPerson,
  vendorSession,
  warnOfUnknownStatus,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { refusalIn } from './answers.ts';
import {
  type CheckfrontBooking,
  type CheckfrontLine,
  countOf,
  hasPeople,
  isAddOn,
  type LinePeople,
  readDetail,
  readIndexCode,
  readPeople,
  readWebhook,
} from './read/people.ts';

/** A line with a time, and its session. */
interface TimedLine {
  readonly line: CheckfrontLine;
  readonly session: BookedSession;
}

// Excludes days such as 20270614, which Checkfront also sends: as Unix time it would be in August 1970.
const minSeconds = Date.UTC(1980, 0) / 1000;
const maxSeconds = Date.UTC(2200, 0) / 1000;

/** Converts Unix seconds, given as a number or a text, to UTC. */
function utcOf(value: unknown): string | undefined {
  const seconds = countOf(value);
  if (seconds === undefined || seconds < minSeconds || seconds >= maxSeconds) return undefined;
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function timesOf({ start_date, end_date }: JsonObject) {
  return { startsAt: utcOf(start_date), endsAt: utcOf(end_date) };
}

const noStart = 'has no start_date';
const noPeople = `${noStart}, and its parameters count no people, as those of another item do`;

/**
 * The lines that have a time, each with its session. If none has, the booking's times apply to all lines except
 * add-ons, and only to those with people if there are any. Any other line without a time, such as goods, is skipped
 * with a warning.
 */
function readSessions(
  reading: Reading,
  lines: readonly CheckfrontLine[],
  { whole }: CheckfrontBooking,
  guestParameters: readonly string[] | undefined,
): TimedLine[] {
  const timed = lines.map((line) => ({ line, times: timesOf(line.value) }));
  const hasLineTimes = timed.some(({ times }) => times.startsAt !== undefined);
  const hasMainPeople = lines.some((line) => !isAddOn(line) && hasPeople(line, guestParameters));
  return timed.flatMap(({ line, times }) => {
    const { path, value } = line;
    const mayTakeTimes = !hasLineTimes && !isAddOn(line);
    const lacksPeople = mayTakeTimes && hasMainPeople && !hasPeople(line, guestParameters);
    const { startsAt, endsAt } = mayTakeTimes && !lacksPeople ? timesOf(whole) : times;
    if (startsAt === undefined) {
      const reason = lacksPeople ? noPeople : noStart;
      reading.warn('item_skipped', path, `${path} ${reason}: it is not a session and counts no people`);
      return [];
    }
    const fields = { startsAt, endsAt, activityId: value.sku, activityName: value.name };
    return [{ line, session: vendorSession(reading, fields, path) }];
  });
}

const hasNextPage = ({ meta }: JsonObject) =>
  textOf(objectOf(objectOf(meta).records).nextPageUrl) !== undefined;

/**
 * Requests the guests of a booking from API v4, at a path relative to v3's base address; `undefined` if v4 does not
 * know the booking. The next page's URL is not followed, since it may point to any host. Throws core's errors.
 */
async function fetchGuests({ http }: Context, code: string): Promise<readonly unknown[] | undefined> {
  let isKnown = true;
  const guests = await readAllPages<unknown>(async ({ offset }) => {
    const params = offset === 0 ? {} : { offset: String(offset) };
    const response = await http.get(`../4.0/bookings/${percentEncode(code)}/guests/`, { params });
    isKnown = response.status !== 404;
    if (!isKnown) return { items: [], hasNext: false };
    raiseForStatus(response, { bookingSystem: 'Checkfront’s API v4', purpose: 'other' });
    const body = expectObject(response.data);
    if (!Array.isArray(body.data)) {
      throw new InvalidBookingResponse('the answer of Checkfront’s API v4 has no list of guests');
    }
    return { items: body.data, hasNext: hasNextPage(body) };
  });
  return isKnown ? guests : undefined;
}

/** Reads the guests of API v4. A guest whose form is not filled in yet has only an id. */
export function readGuests(reading: Reading, listed: readonly unknown[]): Guest[] {
  return requiredObjects(reading, listed, 'guests').map(
    ({ value: { uuid, firstName, lastName, email } }) => ({
      ...vendorPerson({ firstName, lastName, email }),
      id: textOf(uuid),
    }),
  );
}

/** Warns of more guests than people: some parameter that counts people was not counted. */
function warnOfUncountedGuests(reading: Reading, guests: readonly Guest[], pax: number): void {
  if (guests.length <= pax) return;
  const message = `the booking has ${guests.length} guests, and its items count ${pax} people; name the parameters that count people in guestParameters`;
  reading.warn('count_disagrees', 'guests', message);
}

/** Checkfront's built-in statuses; an account may define others. */
export const statusMap: Record<string, StatusGroup> = {
  PAID: 'active',
  PART: 'active',
  PEND: 'other',
  HOLD: 'other',
  WAIT: 'other',
  STOP: 'cancelled',
  VOID: 'cancelled',
};

const withoutSession =
  'no item of the Checkfront booking has a time, and neither has the booking, so it has no session: give it a date in Checkfront';

const isCancelled = (status: string): boolean => statusGroupOf(statusMap, status) === 'cancelled';

const statusOfLine = ({ status }: CheckfrontLine): string => textOf(status)?.toUpperCase() ?? '';

/** A booking's status; its lines' if all of them were removed one by one. */
function statusOf({ status, lines }: CheckfrontBooking): unknown {
  const statuses = lines.map(statusOfLine);
  const [first] = statuses;
  const areAllRemoved = first !== undefined && statuses.every(isCancelled);
  return areAllRemoved && !isCancelled(textOf(status) ?? '') ? first : status;
}

/** All lines of a cancelled booking; otherwise, the lines that are not cancelled. */
function activeLines(reading: Reading, { lines }: CheckfrontBooking, status: string): CheckfrontLine[] {
  return lines.filter((line) => {
    const { path } = line;
    const lineStatus = statusOfLine(line);
    if (isCancelled(status)) return true;
    if (!isCancelled(lineStatus)) {
      const meaning = 'its people are expected';
      if (lineStatus !== '' && lineStatus !== status) {
        warnOfUnknownStatus(reading, statusMap, { status: lineStatus, path: `${path}.status`, meaning });
      }
      return true;
    }
    reading.warn('item_skipped', path, `${path} is ${lineStatus}: it is not a session and counts no people`);
    return false;
  });
}

/** The account's custom fields (`fields`, `meta`), without the customer's. */
function readCustomFields({ fields, meta }: JsonObject): Record<string, unknown> {
  const groups = Object.entries({ fields, meta }).map(([name, group]) => {
    const texts = Object.entries(objectOf(group))
      .filter(([field]) => !field.startsWith('customer_'))
      .map(([field, value]) => [field, textOf(value)]);
    return [name, definedFields(Object.fromEntries(texts))] as const;
  });
  return Object.fromEntries(groups.filter(([, group]) => Object.keys(group).length > 0));
}

function sumByParameter(people: readonly LinePeople[]): Record<string, number> | undefined {
  const sums = new Map<string, number>();
  for (const [id, count] of people.flatMap(({ byParameter }) => [...byParameter])) {
    sums.set(id, (sums.get(id) ?? 0) + count);
  }
  return sums.size === 0 ? undefined : Object.fromEntries(sums);
}

/**
 * Reads a booking in any of Checkfront's shapes, and its guests, which no shape contains. Throws
 * InvalidBookingResponse.
 */
export function readBooking(
  found: CheckfrontBooking,
  bookingId: string,
  guestParameters?: readonly string[],
  listedGuests: readonly unknown[] = [],
): FetchedBooking {
  const reading = new Reading();
  const status = requiredText(reading, statusOf(found), 'status');
  const timed = readSessions(reading, activeLines(reading, found, status), found, guestParameters);
  const people = timed.map(({ line }) => readPeople(reading, line, guestParameters));
  const pax = people.reduce((sum, { count }) => sum + count, 0);
  const guests = readGuests(reading, listedGuests);
  warnOfUncountedGuests(reading, guests, pax);
  const booking = {
    id: requiredText(reading, found.code, 'code'),
    status,
    contact: vendorContact(reading, found.contact, 'customer'),
    pax,
    guests,
    bookedSessions: timed.map(({ session }) => session),
    ...readCustomFields(found.whole),
    param: sumByParameter(people),
  };
  return finishNativeBooking(
    reading,
    booking,
    { bookingId, idPath: 'booking.id', withoutSession },
    statusMap,
  );
}

// Other endpoints below `booking/`: `booking/index` would list all bookings.
const otherEndpoints = new Set(['index', 'notes', 'form', 'session', 'create']);

// Of a booking's three shapes, one lacks the status of the request.
const hasBooking = ({ request, booking, 'booking/index': entries }: JsonObject): boolean =>
  request === undefined && (isJsonObject(booking) || isJsonObject(entries));

async function requestBooking({ http }: Context, bookingId: string): Promise<unknown> {
  const segment = bookingSegment(bookingId, 'read');
  if (otherEndpoints.has(bookingId.toLowerCase())) {
    throw new BookingNotFound(`Checkfront has no booking ${quoted(bookingId)}`);
  }
  const response = await http.get(`booking/${segment}`);
  raiseForStatus(response, { bookingSystem: 'Checkfront', purpose: 'read', bookingId });
  const body = expectObject(response.data);
  const refusal = refusalIn(body);
  if (refusal === undefined || hasBooking(body)) return body;
  throw new InvalidBookingResponse(
    `Checkfront’s answer has no booking, ${refusal}: check the account and its key`,
  );
}

/**
 * Finds a booking by its code or its number. A response in the shape of the list leads to a second request, by the code.
 * Throws core's errors.
 */
export async function findBooking(context: Context, bookingId: string): Promise<CheckfrontBooking> {
  const first = await requestBooking(context, bookingId);
  const code = readIndexCode(first, bookingId);
  const body = code === undefined || code === bookingId ? first : await requestBooking(context, code);
  const found = readDetail(body) ?? readWebhook(body);
  if (found !== undefined) return found;
  throw new InvalidBookingResponse('Checkfront’s answer has no booking with items in it');
}

/** The guests of a booking, if the account has API v4. Only a cancelled booking may be unknown there. */
async function guestsOf(context: Context, found: CheckfrontBooking): Promise<readonly unknown[]> {
  const known = textOf(found.code);
  if (context.account.apiV4 !== true || known === undefined) return [];
  const guests = await fetchGuests(context, known);
  if (guests !== undefined || isCancelled(textOf(statusOf(found)) ?? '')) return guests ?? [];
  throw new BookingSystemUnavailable(
    `Checkfront’s API v4 does not know booking ${quoted(known)}: if the account does not have it, install again without apiV4`,
    { upstreamStatus: 404, outboundErrorCode: 'http_status' },
  );
}

/** Reads a booking by API v3 and, if the account has it, its guests by API v4. Throws core's errors. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const found = await findBooking(context, bookingId);
  const guests = await guestsOf(context, found);
  return readBooking(found, bookingId, context.account.guestParameters, guests);
}
