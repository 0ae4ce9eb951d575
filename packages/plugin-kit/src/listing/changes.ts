import type { BookingChanges, BookingChangesRequest } from '@waiver-service/core';
import { z } from 'zod';
import { readListCursor } from './listed-booking.ts';

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
