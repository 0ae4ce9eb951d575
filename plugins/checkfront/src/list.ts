import type {
  BookingChanges,
  BookingChangesRequest,
  BookingListRequest,
  CheckedAccess,
  ListedBookings,
} from '@waiver-service/core';
import { expectObject, listedId, objectOf, readListCursor } from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Context } from './account.ts';
import { raiseForAccount } from './answers.ts';

/** Requests the account's company. Throws core's errors if the key is rejected. */
export async function checkAccess({ http }: Context): Promise<CheckedAccess> {
  raiseForAccount(await http.get('company'));
  return { warnings: [] };
}

const maxLimit = 100;
// Checkfront's clock may be behind ours.
const overlapMs = 60_000;

/** Checkfront expects Unix seconds. */
const secondsOf = (milliseconds: number) => Math.floor(milliseconds / 1_000);

async function search(
  { http }: Context,
  filter: Readonly<Record<string, string>>,
  { limit, page }: { readonly limit: number; readonly page: number },
): Promise<{ readonly codes: readonly string[]; readonly hasNext: boolean }> {
  const params = { ...filter, limit: String(limit), page: String(page) };
  const response = await http.get('booking/index', { params });
  raiseForAccount(response);
  const { request, 'booking/index': entries } = expectObject(response.data);
  // PHP serializes a list without entries as an empty list.
  const codes = Object.values(objectOf(entries)).map((entry) => listedId(objectOf(entry).code));
  return { codes, hasNext: Number(objectOf(request).pages) > page };
}

/** The cursor keeps the limit of the first page: pages of another size would begin elsewhere. */
const pageSchema = z.object({ page: z.int().min(2), limit: z.int().min(1).max(maxLimit) });

/**
 * Lists the bookings that overlap a period, by code only: the list has neither times nor quantities. Throws core's
 * errors.
 */
export async function listBookings(context: Context, request: BookingListRequest): Promise<ListedBookings> {
  const { from, until, cursor } = request;
  const { page, limit } =
    cursor === undefined ? { page: 1, limit: request.limit } : readListCursor(pageSchema, cursor);
  const filter = {
    start_date: `<${secondsOf(Date.parse(until))}`,
    // A booking for a point in time ends when it begins.
    end_date: `>${secondsOf(Date.parse(from)) - 1}`,
  };
  const { codes, hasNext } = await search(context, filter, { limit, page });
  return {
    bookings: codes.map((bookingId) => ({ bookingId })),
    next: hasNext ? JSON.stringify({ page: page + 1, limit }) : undefined,
  };
}

const cursorSchema = z.object({
  since: z.int(),
  /** A search with unread pages. */
  rest: z.object({ until: z.int(), page: z.int() }).optional(),
});

/** Returns the bookings added or changed since the cursor. Throws core's errors. */
export async function changesSince(
  context: Context,
  { cursor, now }: BookingChangesRequest,
): Promise<BookingChanges> {
  const newSince = now.getTime() - overlapMs;
  if (cursor === undefined) {
    return { bookingIds: [], cursor: JSON.stringify({ since: newSince }), hasMore: false };
  }
  const { since, rest } = readListCursor(cursorSchema, cursor);
  const { until, page } = rest ?? { until: newSince, page: 1 };
  const filter = { last_modified: `>${secondsOf(since) - 1}` };
  const { codes, hasNext } = await search(context, filter, { limit: maxLimit, page });
  const next = hasNext ? { since, rest: { until, page: page + 1 } } : { since: until };
  return { bookingIds: codes, cursor: JSON.stringify(next), hasMore: hasNext };
}
