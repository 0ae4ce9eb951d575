import type {
  BookingChanges,
  BookingChangesRequest,
  BookingListRequest,
  CheckedAccess,
  ListedBookings,
} from '@waiver-service/core';
import {
  changesWithOverlap,
  type JsonObject,
  type ListPage,
  listedBooking,
  listedId,
  listPage,
  objectOf,
  requiredList,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Context } from './account.ts';
import { raiseForRezdy } from './answers.ts';
import { readBooking } from './read.ts';

const maxLimit = 100;

/** Rezdy accepts only times without a fraction of a second. */
const timeOf = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

async function search(
  { http }: Context,
  filter: Readonly<Record<string, string>>,
  { size, offset }: Pick<ListPage, 'size' | 'offset'>,
): Promise<readonly JsonObject[]> {
  const params = { ...filter, limit: String(size), offset: String(offset) };
  const response = await http.get('bookings', { params });
  raiseForRezdy(response, { purpose: 'other' });
  return requiredList(objectOf(response.data).bookings, 'bookings');
}

/** Lists the orders with an item that starts in a period. Throws core's errors. */
export async function listBookings(context: Context, request: BookingListRequest): Promise<ListedBookings> {
  const page = listPage(request, maxLimit);
  const filter = {
    minTourStartTime: timeOf(new Date(request.from)),
    maxTourStartTime: timeOf(new Date(request.until)),
  };
  const orders = await search(context, filter, page);
  const { timeZone } = context.account;
  return {
    bookings: await Promise.all(
      orders.map((order) => listedBooking(order.orderNumber, (id) => readBooking(order, id, timeZone))),
    ),
    next: orders.length < page.size ? undefined : page.next,
  };
}

// An order that was never updated is found only by its creation.
const pageSchema = z.object({ by: z.enum(['updated', 'created']), offset: z.int().min(0) });
type Page = z.infer<typeof pageSchema>;

const firstOf = (by: Page['by']): Page => ({ by, offset: 0 });

/** Returns the orders updated since the cursor, then those created. Throws core's errors. */
export const changesSince = (context: Context, request: BookingChangesRequest): Promise<BookingChanges> =>
  changesWithOverlap<Page>(request, {
    pageSchema,
    async search({ since }, { by, offset } = firstOf('updated')) {
      const filter: Readonly<Record<string, string>> =
        by === 'updated' ? { updatedSince: timeOf(since) } : { minDateCreated: timeOf(since) };
      const orders = await search(context, filter, { size: maxLimit, offset });
      const isFull = orders.length === maxLimit;
      const afterLast = by === 'updated' ? firstOf('created') : undefined;
      return {
        bookingIds: orders.map(({ orderNumber }) => listedId(orderNumber)),
        next: isFull ? { by, offset: offset + maxLimit } : afterLast,
      };
    },
  });

/** Requests one order. Throws core's errors if the account may not read orders. */
export async function checkAccess(context: Context): Promise<CheckedAccess> {
  await search(context, {}, { size: 1, offset: 0 });
  return { warnings: [] };
}
