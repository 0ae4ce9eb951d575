import { isInTimeRange } from '@waiver-service/waivers';
import { isUuid } from './ids-of-times.ts';
import type { Page } from './page.ts';

/** A cursor that did not come from the `next` of this list. */
export class MalformedCursor extends Error {
  override readonly name = 'MalformedCursor';
  constructor() {
    super('the cursor is not one that this list gave out');
  }
}

// Two ids of 256 bytes, in the worst case of JSON escaping and base64.
const maxLength = 8_192;

/** Encodes the position after which the next page starts, as opaque text that is safe in a URL. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * @param length - the number of parts of the position
 * @throws MalformedCursor
 */
export function decodeCursor(cursor: string, length: number): string[] {
  if (cursor.length > maxLength || !/^[A-Za-z0-9_-]+$/.test(cursor)) throw new MalformedCursor();
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new MalformedCursor();
  }
  if (!Array.isArray(position) || position.length !== length) throw new MalformedCursor();
  return position.map((part: unknown) => {
    // PostgreSQL rejects both as text.
    if (typeof part !== 'string' || part.includes('\u0000') || !part.isWellFormed())
      throw new MalformedCursor();
    return part;
  });
}

/** Decodes the cursor of a list ordered by id only. @throws MalformedCursor */
export function decodeIdCursor(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (id === undefined) throw new MalformedCursor();
  return id;
}

/** Decodes the cursor of a list ordered by UUIDs; undefined for the first page. @throws MalformedCursor */
export function decodeUuidCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = decodeIdCursor(cursor);
  if (!isUuid(id)) throw new MalformedCursor();
  return id;
}

/**
 * The id after which a page begins, in a list ordered by id; `''` for the first page.
 *
 * @throws MalformedCursor
 */
export const idOfCursor = (cursor: string | undefined): string =>
  cursor === undefined ? '' : decodeIdCursor(cursor);

/** Decodes a time that `toISOString` wrote, in the range that can be stored. @throws MalformedCursor */
export function decodeTime(text: string): Date {
  const time = new Date(text);
  if (!isInTimeRange(time.getTime()) || time.toISOString() !== text) throw new MalformedCursor();
  return time;
}

/**
 * @param rows - at most `limit + 1`: the extra row shows that there is a next page
 * @param positionOf - a row's position, for the cursor
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly string[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: shown.map(itemOf), next: hasMore ? encodeCursor(positionOf(last)) : null };
}

/** {@link pageOf} for items ordered by id. */
export const pageById = <Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): Page<Item> =>
  pageOf(
    items,
    limit,
    ({ id }) => [id],
    (item) => item,
  );
