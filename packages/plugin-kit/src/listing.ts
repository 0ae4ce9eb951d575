import {
  type BookingChanges,
  type BookingChangesRequest,
  type BookingListRequest,
  type BookingSystemPlugin,
  type FetchedBooking,
  type InstalledAccount,
  InvalidBookingResponse,
  isInvalidBookingResponse,
  isStorableText,
  type ListedBooking,
  MalformedListCursor,
  makeSignable,
  type SentSecrets,
} from '@waiver-service/core';
import { z } from 'zod';
import { judgingContext } from './answers.ts';
import { isJsonObject, type JsonObject } from './reading/json.ts';
import { textOf } from './reading/vendor-fields.ts';
import { redactEchoes, withoutSecrets } from './secrets.ts';

type ListingFunctions<S, A extends InstalledAccount> = Pick<
  BookingSystemPlugin<S, A>,
  'listBookings' | 'changesSince' | 'checkAccess'
>;

const reading = { purpose: 'read' } as const;

const maxCursorLength = 2_000;

function signableOrProblem(bookingId: string, fetched: FetchedBooking): ListedBooking {
  try {
    return { bookingId, fetched: makeSignable(fetched) };
  } catch (error) {
    if (isInvalidBookingResponse(error)) return { bookingId, problem: error };
    throw error;
  }
}

async function withoutSecretsIn(listed: ListedBooking, secrets: SentSecrets): Promise<ListedBooking> {
  const { fetched, problem } = listed;
  // Redacts the problem's texts in place.
  if (problem !== undefined) await withoutSecrets(secrets, () => Promise.reject(problem)).catch(() => {});
  if (fetched === undefined) return listed;
  redactEchoes(fetched.booking, secrets);
  return signableOrProblem(listed.bookingId, await withoutSecrets(secrets, async () => fetched));
}

/** Wraps the functions not about a single booking: responses are judged, and results redacted. */
export function completeListing<S, A extends InstalledAccount>(
  definition: Pick<BookingSystemPlugin<S, A>, 'displayName' | 'judgeAnswer'> & ListingFunctions<S, A>,
): ListingFunctions<S, A> {
  const { listBookings, changesSince, checkAccess } = definition;
  return {
    ...(listBookings && {
      async listBookings(given, request) {
        const context = judgingContext(definition, given, reading);
        const page = await withoutSecrets(context.secrets, async () => ({
          ...(await listBookings(context, request)),
          warnings: [],
        }));
        const { bookings, next } = page;
        const shown = bookings.map((listed) => withoutSecretsIn(listed, context.secrets));
        return { bookings: await Promise.all(shown), next };
      },
    }),
    ...(changesSince && {
      async changesSince(given, request) {
        const context = judgingContext(definition, given, reading);
        const { warnings: _, ...changes } = await withoutSecrets(context.secrets, async () => ({
          ...(await changesSince(context, request)),
          warnings: [],
        }));
        if (!isStorableText(changes.cursor) || changes.cursor.length > maxCursorLength)
          throw new InvalidBookingResponse('the cursor of its changes cannot be kept');
        return changes;
      },
    }),
    ...(checkAccess && {
      checkAccess(given) {
        const context = judgingContext(definition, given, reading);
        return withoutSecrets(context.secrets, () => checkAccess(context));
      },
    }),
  };
}

/** The id of a booking in a list. Throws InvalidBookingResponse if there is none. */
export function listedId(id: unknown): string {
  const bookingId = textOf(id);
  if (bookingId !== undefined) return bookingId;
  throw new InvalidBookingResponse('the list has a booking without an id');
}

/** A booking in a list. One that cannot be read is listed with the reason, so that the others are still returned. */
export async function listedBooking(
  id: unknown,
  read: (bookingId: string) => FetchedBooking | Promise<FetchedBooking>,
): Promise<ListedBooking> {
  const bookingId = listedId(id);
  try {
    return { bookingId, fetched: await read(bookingId) };
  } catch (error) {
    if (isInvalidBookingResponse(error)) return { bookingId, problem: error };
    throw error;
  }
}

/** The objects of a response's required list. Throws InvalidBookingResponse for anything else. */
export function requiredList(found: unknown, path: string): readonly JsonObject[] {
  if (Array.isArray(found) && found.every(isJsonObject)) return found;
  throw new InvalidBookingResponse(`the answer is no list of bookings: ${path} is no list of objects`);
}

/** Parses a cursor that the plugin wrote as JSON. Throws MalformedListCursor for anything else. */
export function readListCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  try {
    return schema.parse(JSON.parse(cursor));
  } catch (cause) {
    throw new MalformedListCursor('This is no cursor of this list: begin it again, without one.', { cause });
  }
}

/** A page of a list that the vendor divides by numbers or offsets. */
export interface ListPage {
  /** Its number, from 1. */
  readonly page: number;
  readonly size: number;
  /** The number of bookings before it. */
  readonly offset: number;
  /** The cursor of the next page. */
  readonly next: string;
}

/**
 * The requested page of a list. Its cursor keeps the size of the first page: pages of another size would begin elsewhere.
 * @param maxSize - the size of the vendor's largest page
 * @throws MalformedListCursor
 */
export function listPage(
  { limit, cursor }: Pick<BookingListRequest, 'limit' | 'cursor'>,
  maxSize = 100,
): ListPage {
  const schema = z.object({ page: z.int().min(2), size: z.int().min(1).max(maxSize) });
  const { page, size } =
    cursor === undefined ? { page: 1, size: Math.min(limit, maxSize) } : readListCursor(schema, cursor);
  return { page, size, offset: (page - 1) * size, next: JSON.stringify({ page: page + 1, size }) };
}

/** Where a page of {@link readAllPages} begins. */
export interface PagePlace {
  /** Its number, from 1. */
  readonly page: number;
  /** The number of items before it. */
  readonly offset: number;
}

/**
 * Reads all pages of a list, one after the other.
 * @param readPage - requests one page; says whether the vendor has another
 * @throws InvalidBookingResponse for more than `maxPages`, since a faulty vendor may never end
 */
export async function readAllPages<Item>(
  readPage: (place: PagePlace) => Promise<{ readonly items: readonly Item[]; readonly hasNext: boolean }>,
  maxPages = 20,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const { items, hasNext } = await readPage({ page, offset: all.length });
    all.push(...items);
    if (!hasNext || items.length === 0) return all;
  }
  throw new InvalidBookingResponse(`the list has more than ${maxPages} pages`);
}

// The vendor's clock may be behind ours.
const overlapMs = 60_000;

const maxTime = 8_640_000_000_000_000;
const timeSchema = z.int().min(0).max(maxTime);

/** A search by time of change. */
export interface ChangeSearch<Page> {
  /** The part of a page that the cursor keeps: its number, an offset, or the vendor's token. */
  readonly pageSchema: z.ZodType<Page>;
  /** The longest period that the vendor can be asked about, in milliseconds. Default: any. */
  readonly maxPeriodMs?: number;
  /**
   * Requests a page of the bookings created or changed in a period; `until` is for vendors that want an end.
   * @param page - `next` of the previous page; undefined for the first one
   */
  search(
    period: { readonly since: Date; readonly until: Date },
    page: Page | undefined,
  ): Promise<{ readonly bookingIds: readonly string[]; readonly next?: Page | undefined }>;
}

/**
 * Implements `changesSince` by a search. Each period begins a minute before the end of the previous one, so that clocks
 * that differ lose no change. The cursor keeps the pages that are still unread.
 * @throws MalformedListCursor
 */
export async function changesWithOverlap<Page>(
  { cursor, now }: BookingChangesRequest,
  { pageSchema, maxPeriodMs = maxTime, search }: ChangeSearch<Page>,
): Promise<BookingChanges> {
  const latestStart = now.getTime() - overlapMs;
  if (cursor === undefined) {
    return { bookingIds: [], cursor: JSON.stringify({ since: latestStart }), hasMore: false };
  }
  const rest = z.object({ until: timeSchema, nextSince: timeSchema, page: pageSchema });
  const kept = readListCursor(z.object({ since: timeSchema, rest: rest.optional() }), cursor);
  const { since } = kept;
  const until = kept.rest?.until ?? Math.min(since + maxPeriodMs, now.getTime());
  const nextSince = kept.rest?.nextSince ?? Math.min(until, latestStart);
  const period = { since: new Date(since), until: new Date(until) };
  const { bookingIds, next: page } = await search(period, kept.rest?.page);
  return page === undefined
    ? // Only a period that was cut short ends without an overlap.
      { bookingIds, cursor: JSON.stringify({ since: nextSince }), hasMore: nextSince === until }
    : { bookingIds, cursor: JSON.stringify({ since, rest: { until, nextSince, page } }), hasMore: true };
}
