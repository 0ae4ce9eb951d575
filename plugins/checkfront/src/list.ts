import type {
  BookingChanges,
  BookingChangesRequest,
  BookingListRequest,
  CheckedAccess,
  ListedBookings,
} from '@waiver-service/core';
import {
  changesWithOverlap,
  expectObject,
  type ListPage,
  listedId,
  listPage,
  objectOf,
  textOf,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Context } from './account.ts';
import { raiseForAccount } from './answers.ts';

/** Requests the account's company. Throws core's errors if the key is rejected. */
export async function checkAccess({ http }: Context): Promise<CheckedAccess> {
  raiseForAccount(await http.get('company'));
  return { warnings: [] };
}

const maxLimit = 100;

/** Checkfront expects Unix seconds. */
const secondsOf = (time: Date) => Math.floor(time.getTime() / 1_000);

async function search(
  { http }: Context,
  filter: Readonly<Record<string, string>>,
  { size, page }: Pick<ListPage, 'size' | 'page'>,
): Promise<{ readonly codes: readonly string[]; readonly hasNext: boolean }> {
  const params = { ...filter, limit: String(size), page: String(page) };
  const response = await http.get('booking/index', { params });
  raiseForAccount(response);
  const { request, 'booking/index': entries } = expectObject(response.data);
  // PHP serializes a list without entries as an empty list.
  const codes = Object.values(objectOf(entries)).map((entry) => listedId(objectOf(entry).code));
  return { codes, hasNext: Number(textOf(objectOf(request).pages)) > page };
}

/**
 * Lists the bookings that overlap a period, by code only: the list has neither times nor quantities. Throws core's
 * errors.
 */
export async function listBookings(context: Context, request: BookingListRequest): Promise<ListedBookings> {
  const page = listPage(request, maxLimit);
  const filter = {
    start_date: `<${secondsOf(new Date(request.until))}`,
    // A booking for a point in time ends when it begins.
    end_date: `>${secondsOf(new Date(request.from)) - 1}`,
  };
  const { codes, hasNext } = await search(context, filter, page);
  return {
    bookings: codes.map((bookingId) => ({ bookingId })),
    next: hasNext ? page.next : undefined,
  };
}

/** Returns the bookings added or changed since the cursor. Throws core's errors. */
export const changesSince = (context: Context, request: BookingChangesRequest): Promise<BookingChanges> =>
  changesWithOverlap(request, {
    pageSchema: z.int().min(2),
    async search({ since }, page = 1) {
      const filter = { last_modified: `>${secondsOf(since) - 1}` };
      const { codes, hasNext } = await search(context, filter, { size: maxLimit, page });
      return { bookingIds: codes, next: hasNext ? page + 1 : undefined };
    },
  });
