import { type BookingListRequest, InvalidBookingResponse } from '@waiver-service/core';
import { z } from 'zod';
import { readListCursor } from './listed-booking.ts';

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
