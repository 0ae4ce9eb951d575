import type { BookedSession, Guest } from '@waiver-service/core';
import {
  createCatalogue,
  isJsonObject,
  isTimeZone,
  type JsonObject,
  type ListedObject,
  objectsIn,
  participantTypeOf,
  Reading,
  requiredCount,
  requiredObjects,
  textOf,
  vendorDateTime,
  vendorSession,
} from '@waiver-service/plugin-kit';
import type { Context } from '../account.ts';
import { requestPasses, requestVenue } from '../requests.ts';

/** A product that admits people; a booking's items refer to it. */
interface Pass {
  readonly activityId: string | undefined;
  readonly activityName: string | undefined;
  /** The name of the variation, such as `Adult`. */
  readonly variation: string | undefined;
  /** The number of people for each one bought. */
  readonly groupSize: number;
}

/** The facts about a venue that its bookings do not repeat. */
export interface Venue {
  /** IANA; `undefined` if ROLLER names none. */
  readonly timeZone: string | undefined;
  /** By the id of the variation. */
  readonly passes: ReadonlyMap<string, Pass>;
}

const passTypes: ReadonlySet<unknown> = new Set(['pass', 'sessionpass', 'membership', 'recurringpass']);

/** A group size that is missing or unusable is 1. */
function groupSizeOf(value: unknown): number {
  const size = Number(textOf(value));
  return Number.isSafeInteger(size) && size > 0 ? size : 1;
}

/** The variations of all passes among products, by id. */
export function passesIn(products: unknown): ReadonlyMap<string, Pass> {
  const passes = new Map<string, Pass>();
  for (const product of objectsIn(products)) {
    const { type, parentProductId, id, parentProductName, name } = product;
    if (!passTypes.has(type)) continue;
    const activityId = textOf(parentProductId) ?? textOf(id);
    const activityName = textOf(parentProductName) ?? textOf(name);
    for (const variation of objectsIn(product.products)) {
      const variationId = textOf(variation.id);
      if (variationId === undefined) continue;
      const groupSize = groupSizeOf(variation.groupSize);
      passes.set(variationId, { activityId, activityName, variation: textOf(variation.name), groupSize });
    }
  }
  return passes;
}

/** ROLLER has two fields for it, but the documented example has an IANA name in neither. */
export function timeZoneIn({
  ianaTimeZone,
  timeZone,
}: Readonly<Record<string, unknown>>): string | undefined {
  return [textOf(ianaTimeZone), textOf(timeZone)].find((name) => name !== undefined && isTimeZone(name));
}

async function requestFacts(context: Context): Promise<Venue> {
  const timeZone = context.account.timeZone ?? timeZoneIn(await requestVenue(context));
  return { timeZone, passes: passesIn(await requestPasses(context)) };
}

// ROLLER requires clients to cache products.
const venues = createCatalogue<Venue>({ maxAgeMs: 3_600_000, maxEntries: 1_000, askAgainAfterMs: 600_000 });

/**
 * The venue of an account, cached for an hour. An unknown product may be a new pass, which would count no people, so it
 * causes another request, but at most every ten minutes: not every product is a pass. Throws core's errors.
 */
export const venueOf = (context: Context, sessionProducts: readonly string[]): Promise<Venue> =>
  venues.read(
    context,
    'venue',
    () => requestFacts(context),
    ({ passes }) => sessionProducts.every((productId) => passes.has(productId)),
  );

/** An item that admits people. */
export interface Admission extends ListedObject {
  /** `undefined` if the venue's products do not have it. */
  readonly pass: Pass | undefined;
}

// ROLLER documents its lists as single objects; in practice they are lists.
const asList = (value: unknown) => (isJsonObject(value) ? [value] : value);

export const itemsOf = (reading: Reading, items: unknown): readonly ListedObject[] =>
  requiredObjects(reading, asList(items), 'items');

export const ticketsOf = ({ tickets }: JsonObject): JsonObject[] => objectsIn(asList(tickets));

/** When an item starts: other documents of ROLLER's call `sessionStartTime` `startTime`. */
export function startOf({ sessionStartTime, startTime }: JsonObject) {
  const start = textOf(sessionStartTime);
  return start === undefined
    ? { time: textOf(startTime), name: 'startTime' }
    : { time: start, name: 'sessionStartTime' };
}

const hasSession = ({ value }: ListedObject) => startOf(value).time !== undefined;

/** The ids of the products for which a booking has session times. */
export const sessionProductsOf = ({ items }: JsonObject): readonly string[] =>
  itemsOf(new Reading(), items)
    .filter(hasSession)
    .flatMap(({ value }) => textOf(value.productId) ?? []);

/**
 * The items that admit people: those for a pass, since add-ons, packages and gift cards have tickets too. If no product
 * is known as a pass, those with a session time.
 */
export function admissionsIn(
  reading: Reading,
  items: readonly ListedObject[],
  { passes }: Venue,
): readonly Admission[] {
  const listed = items.map((item) => ({ ...item, pass: passes.get(textOf(item.value.productId) ?? '') }));
  const isAnyKnown = listed.some(({ pass }) => pass !== undefined);
  return listed.filter((item) => {
    if (isAnyKnown ? item.pass !== undefined : hasSession(item)) return true;
    const product = textOf(item.value.productId) ?? 'unknown';
    const message = `${item.path} (product ${product}) is no pass: it is not a session and counts no people`;
    reading.warn('item_skipped', item.path, message);
    return false;
  });
}

/**
 * The people that an item admits: its quantity times the group size, for which ROLLER issues as many tickets. Fewer
 * tickets are a warning, since no one must be left out; none at all only for a group, whose size is the product's of today.
 */
export function paxOf(reading: Reading, { value, path, pass }: Admission): number {
  const quantity = requiredCount(reading, value.quantity, `${path}.quantity`);
  const { groupSize = 1 } = pass ?? {};
  const people = quantity * groupSize;
  const tickets = ticketsOf(value).length;
  if (tickets < people && (tickets > 0 || groupSize > 1)) {
    const group = groupSize > 1 ? ` of a group of ${groupSize}` : '';
    const message = `${path} has the quantity ${quantity}${group}, and ${tickets} tickets: ${people} people count`;
    reading.warn('count_disagrees', `${path}.tickets`, message);
  }
  return Math.max(tickets, people);
}

export function guestsOf(reading: Reading, { value, path, pass }: Admission): Guest[] {
  return ticketsOf(value).map((ticket, index) => {
    const id = textOf(ticket.ticketId);
    if (id === undefined) {
      const where = `${path}.tickets[${index}]`;
      reading.warn('value_ignored', where, `${where} has no ticketId: the guest has no id`);
    }
    return {
      id,
      name: textOf(ticket.ticketHolderName) ?? textOf(ticket.name),
      participantType: participantTypeOf(pass?.variation),
      productId: textOf(value.productId),
      customTicketId: textOf(ticket.customTicketId) ?? textOf(ticket.externalTicketId),
      membershipStatus: textOf(ticket.membershipStatus),
      customerId: textOf(ticket.customerId),
      signedWaiverId: textOf(ticket.signedWaiverId),
    };
  });
}

const dayOf = (value: unknown) => textOf(value)?.replace(/T.*$/, '');

function dayAfter(day: string): string {
  const next = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
  return Number.isNaN(next) ? day : new Date(next).toISOString().slice(0, 10);
}

/** When an item ends, as a local date and time. An end of 00:00, or before the start, is on the next day. */
function localEndOf({ sessionEndTime }: JsonObject, day: string, start: string): string | undefined {
  const end = textOf(sessionEndTime);
  if (end === undefined || (end === start && end !== '00:00')) return undefined;
  return `${end > start ? day : dayAfter(day)}T${end}`;
}

/**
 * The session of an item. A pass without a session time is valid for whole days: from the midnight before `bookingDate` to
 * the midnight after `bookingEndDate`. `undefined` without a date: open-dated.
 */
export function sessionOf(
  reading: Reading,
  { value, path, pass }: Admission,
  timeZone: string | undefined,
): BookedSession | undefined {
  const day = dayOf(value.bookingDate);
  if (day === undefined) {
    reading.warn('item_skipped', path, `${path} has no bookingDate, so it is no session: left out`);
    return undefined;
  }
  const { time: start, name: startName } = startOf(value);
  if (start === undefined) {
    reading.warn('session_incomplete', path, `${path} has no session time: the session is the whole day`);
  }
  const localStart = `${day}T${start ?? '00:00'}`;
  const localEnd =
    start === undefined
      ? `${dayAfter(dayOf(value.bookingEndDate) ?? day)}T00:00`
      : localEndOf(value, day, start);
  const time = (local: string | undefined, name: string) =>
    vendorDateTime(reading, local, `${path}.${name}`, timeZone);
  const startsAt = time(localStart, start === undefined ? 'bookingDate' : startName);
  const endsAt = time(localEnd, start === undefined ? 'bookingEndDate' : 'sessionEndTime');
  if (startsAt === undefined) return undefined;
  const activityId = pass?.activityId ?? textOf(value.productId);
  return vendorSession(reading, { startsAt, endsAt, activityId, activityName: pass?.activityName }, path);
}
