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
  type JsonObject,
  listedBooking,
  listedId,
  objectOf,
  raiseForStatus,
  readListCursor,
  requiredList,
  textOf,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import { readBooking } from './read.ts';
import type { Context } from './settings.ts';

/** Requests the permissions of the account's key. Throws core's errors if the key is rejected. */
export async function checkAccess({ http }: Context): Promise<CheckedAccess> {
  raiseForStatus(await http.get('settings/apikeyinfo'), { bookingSystem: 'Bookeo', purpose: 'other' });
  return { warnings: [] };
}

const pageSchema = z.object({ token: z.string().min(1), page: z.int().min(2) });
/** The token by which Bookeo recognizes the search, and the number of the page. */
type Page = z.infer<typeof pageSchema>;

// Bookeo refuses longer periods.
const maxPeriodMs = 31 * 86_400_000;
const maxItemsPerPage = '100';

async function search(
  { http }: Context,
  filter: Readonly<Record<string, string>>,
  page: Page | undefined,
): Promise<{ readonly bookings: readonly JsonObject[]; readonly next: Page | undefined }> {
  const params = {
    ...filter,
    includeCanceled: 'true',
    ...(page && { pageNavigationToken: page.token, pageNumber: String(page.page) }),
  };
  const response = await http.get('bookings', { params });
  raiseForStatus(response, { bookingSystem: 'Bookeo', purpose: 'other' });
  const { data, info } = expectObject(response.data);
  const { currentPage, totalPages, pageNavigationToken: token } = objectOf(info);
  const current = Number(textOf(currentPage));
  const hasNext = current < Number(textOf(totalPages));
  const next = hasNext ? pageSchema.safeParse({ token, page: current + 1 }).data : undefined;
  return { bookings: requiredList(data, 'data'), next };
}

/** Lists the bookings that start in a period, including cancelled ones. Throws core's errors. */
export async function listBookings(
  context: Context,
  { from, until, limit, cursor }: BookingListRequest,
): Promise<ListedBookings> {
  const filter = {
    startTime: from,
    endTime: until,
    expandCustomer: 'true',
    expandParticipants: 'true',
    itemsPerPage: String(limit),
  };
  const page = cursor === undefined ? undefined : readListCursor(pageSchema, cursor);
  const { bookings, next } = await search(context, filter, page);
  const { waiverField } = context.account;
  return {
    bookings: await Promise.all(
      bookings.map((booking) =>
        listedBooking(booking.bookingNumber, (id) => readBooking(booking, id, waiverField)),
      ),
    ),
    next: next && JSON.stringify(next),
  };
}

/**
 * Returns the bookings changed or created since the cursor. Bookeo asks not to poll for changes, so this is only for
 * when its webhook calls were lost.
 */
export const changesSince = (context: Context, request: BookingChangesRequest): Promise<BookingChanges> =>
  changesWithOverlap(request, {
    pageSchema,
    maxPeriodMs,
    async search({ since, until }, page) {
      const filter = {
        lastUpdatedStartTime: since.toISOString(),
        lastUpdatedEndTime: until.toISOString(),
        itemsPerPage: maxItemsPerPage,
      };
      const { bookings, next } = await search(context, filter, page);
      return { bookingIds: bookings.map(({ bookingNumber }) => listedId(bookingNumber)), next };
    },
  });
