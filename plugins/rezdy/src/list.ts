import type {
  BookingChanges,
  BookingChangesRequest,
  BookingListRequest,
  CheckedAccess,
  ListedBookings,
} from '@waiver-service/core';
import {
  type JsonObject,
  listedBooking,
  listedId,
  objectOf,
  readListCursor,
  requiredList,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Context } from './account.ts';
import { raiseForRezdy } from './answers.ts';
import { readBooking } from './read.ts';

const maxLimit = 100;
// Rezdy's clock may be behind ours, and `updatedSince` excludes its own second.
const overlapMs = 60_000;

/** Rezdy accepts only times without a fraction of a second. */
const timeOf = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

async function search(
  { http }: Context,
  filter: Readonly<Record<string, string>>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly JsonObject[]> {
  const params = { ...filter, limit: String(limit), offset: String(offset) };
  const response = await http.get('bookings', { params });
  raiseForRezdy(response, { purpose: 'other' });
  return requiredList(objectOf(response.data).bookings, 'bookings');
}

const offsetSchema = z.int().min(0);

/** Lists the orders with an item that starts in a period. Throws core's errors. */
export async function listBookings(
  context: Context,
  { from, until, limit, cursor = '0' }: BookingListRequest,
): Promise<ListedBookings> {
  const offset = readListCursor(offsetSchema, cursor);
  const filter = { minTourStartTime: timeOf(Date.parse(from)), maxTourStartTime: timeOf(Date.parse(until)) };
  const orders = await search(context, filter, { limit, offset });
  const { timeZone } = context.account;
  return {
    bookings: await Promise.all(
      orders.map((order) => listedBooking(order.orderNumber, (id) => readBooking(order, id, timeZone))),
    ),
    next: orders.length < limit ? undefined : String(offset + limit),
  };
}

const cursorSchema = z.object({
  since: z.int(),
  /** A search with unread pages. An order that was never updated is found only by its creation. */
  rest: z.object({ until: z.int(), by: z.enum(['updated', 'created']), offset: z.int() }).optional(),
});

/** Returns the orders updated since the cursor, then those created. Throws core's errors. */
export async function changesSince(
  context: Context,
  { cursor, now }: BookingChangesRequest,
): Promise<BookingChanges> {
  const answer = (bookingIds: readonly string[], next: z.infer<typeof cursorSchema>) => ({
    bookingIds,
    cursor: JSON.stringify(next),
    hasMore: next.rest !== undefined,
  });
  const newSince = now.getTime() - overlapMs;
  if (cursor === undefined) return answer([], { since: newSince });
  const { since, rest } = readListCursor(cursorSchema, cursor);
  const { until, by, offset } = rest ?? { until: newSince, by: 'updated' as const, offset: 0 };
  const filter: Readonly<Record<string, string>> =
    by === 'updated' ? { updatedSince: timeOf(since) } : { minDateCreated: timeOf(since) };
  const orders = await search(context, filter, { limit: maxLimit, offset });
  const ids = orders.map(({ orderNumber }) => listedId(orderNumber));
  if (orders.length === maxLimit)
    return answer(ids, { since, rest: { until, by, offset: offset + maxLimit } });
  if (by === 'updated') return answer(ids, { since, rest: { until, by: 'created', offset: 0 } });
  return answer(ids, { since: until });
}

/** Requests one order. Throws core's errors if the account may not read orders. */
export async function checkAccess(context: Context): Promise<CheckedAccess> {
  await search(context, {}, { limit: 1, offset: 0 });
  return { warnings: [] };
}
