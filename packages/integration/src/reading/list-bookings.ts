import {
  bookingIdSchema,
  type FetchedBooking,
  InvalidBookingResponse,
  isBookingSystemError,
  type ListedBooking,
} from '@waiver-service/core';
import { HttpProblem, malformed } from '@waiver-service/http';
import type { PoolSetup, Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { isSessionIn, type ListPeriod } from './booking-days.ts';
import { type BookingReader, ownIdOf } from './booking-reader.ts';
import type { BookingSource, BookingSources } from './booking-sources.ts';
import { ReadHeldBack } from './read-breaker.ts';

/** A list of a pool's bookings. */
interface BookingListQuery extends ListPeriod {
  readonly setup: PoolSetup;
  /** Install name; the pool's default booking system if omitted. */
  readonly bookingSystem?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** How the bookings of a list are read. */
interface ListedRead extends Pick<BookingListQuery, 'setup' | 'signal'> {
  /** When the list was requested, by this process's monotonic clock. */
  readonly requestedAt: number;
}

/** A listed booking, or why it could not be read. */
export interface BookingListItem {
  readonly bookingId: string;
  readonly fetched?: FetchedBooking;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A page of a list. */
interface BookingListPage {
  readonly bookingSystem: string;
  readonly items: readonly BookingListItem[];
  readonly next: string | null;
}

export interface BookingListerParts {
  readonly store: Pick<Store, 'bookings'>;
  readonly sources: BookingSources;
  readonly bookingReader: Pick<BookingReader, 'read'>;
}

/** Lists a pool's bookings by the times of their sessions. */
export interface BookingLister {
  /**
   * A page of the bookings with a session in the period, as the booking system returns them now, in its order.
   * @throws HttpProblem as `BookingReader.read` does, 409 `listing_not_supported`, 400 for a malformed cursor
   * @throws BookingSystemError
   */
  list(query: BookingListQuery): Promise<BookingListPage>;
}
export const BookingLister: ServiceIdentifier<BookingLister> = Symbol('BookingLister');

// Concurrent reads of bookings that a list only names.
const maxReads = 4;

const cursorSchema = z.tuple([z.string().max(2_000).nullable(), z.int().min(0).max(100_000)]);

/** The vendor's page, and how many of its bookings were returned already: the vendor chooses the sizes of its pages. */
type Position = z.infer<typeof cursorSchema>;

const encode = (position: Position) => Buffer.from(JSON.stringify(position)).toString('base64url');

function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined) return [null, 0];
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw malformed([{ path: 'cursor', message: 'this is not a cursor of this list' }]);
  }
}

function nextOf([page, skipped]: Position, found: number, limit: number, following: string | undefined) {
  if (found - skipped > limit) return encode([page, skipped + limit]);
  return following === undefined ? null : encode([following, 0]);
}

/** Whether a booking belongs to a period. One without a session, such as a cancelled one, does: the vendor listed it. */
function isIn({ from, until }: ListPeriod, { fetched }: BookingListItem): boolean {
  const sessions = fetched?.booking.bookedSessions ?? [];
  return sessions.length === 0 || sessions.some((session) => isSessionIn(session, from, until));
}

function errorOf(error: unknown): BookingListItem['error'] {
  if (!isBookingSystemError(error)) throw error;
  return { code: error.code, message: error.message };
}

/** Runs work for each item, a few at a time. */
async function forEachOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [place, item] of queue) results[place] = await work(item);
  };
  await Promise.all(Array.from({ length: maxReads }, worker));
  return results;
}

/** Creates the {@link BookingLister} of this process. */
export function createBookingLister({ store, sources, bookingReader }: BookingListerParts): BookingLister {
  async function itemOf(
    source: BookingSource,
    { fetched, problem, bookingId: listedId }: ListedBooking,
    { setup, signal, requestedAt }: ListedRead,
  ): Promise<BookingListItem> {
    const { data: bookingId } = bookingIdSchema.safeParse(listedId);
    // One such booking must not hide the others of its day.
    if (bookingId === undefined) {
      const error = new InvalidBookingResponse('the list has an id that is no booking’s');
      return { bookingId: listedId.replaceAll('\u0000', '\ufffd').toWellFormed(), error: errorOf(error) };
    }
    const { pool, bookingSystem, version, connection } = source;
    try {
      if (problem !== undefined) throw problem;
      if (fetched === undefined) {
        const reading = await bookingReader.read({ setup, bookingSystem, bookingId, signal });
        return { bookingId: reading.bookingId, fetched: reading.fetched };
      }
      const ownId = ownIdOf(connection.plugin, fetched, bookingId);
      const queried = connection.installation;
      const booking = { pool, bookingSystem, bookingId: ownId, queried, requestedAt, fetched };
      await store.bookings.saveIfNew(booking, version);
      return { bookingId: ownId, fetched };
    } catch (error) {
      return { bookingId, error: errorOf(error instanceof ReadHeldBack ? error.lastError : error) };
    }
  }

  async function listOf(source: BookingSource, query: BookingListQuery, cursor: string | undefined) {
    const { plugin } = source.connection;
    if (plugin.capabilities.lists !== true) {
      throw new HttpProblem(
        409,
        'listing_not_supported',
        `${plugin.displayName} does not list bookings: read them one by one, by their ids.`,
      );
    }
    try {
      sources.admit(source);
    } catch (error) {
      throw error instanceof ReadHeldBack ? error.lastError : error;
    }
    const { from, until, limit, signal } = query;
    const request = { from: from.toISOString(), until: until.toISOString(), limit, cursor };
    const nothing = { bookings: [], next: undefined };
    return sources.ask({
      source,
      signal,
      ask: async (context) => (await plugin.listBookings?.(context, request)) ?? nothing,
    });
  }

  return {
    async list(query) {
      const position = positionOf(query.cursor);
      const [cursor, skipped] = position;
      const source = await sources.sourceFor(query.setup, query.bookingSystem);
      const requestedAt = performance.now();
      const { bookings, next } = await listOf(source, query, cursor ?? undefined);
      const listed = bookings.slice(skipped, skipped + query.limit);
      const items = await forEachOf(listed, (each) => itemOf(source, each, { ...query, requestedAt }));
      return {
        bookingSystem: source.bookingSystem,
        items: items.filter((item) => isIn(query, item)),
        next: nextOf(position, bookings.length, query.limit, next),
      };
    },
  };
}
