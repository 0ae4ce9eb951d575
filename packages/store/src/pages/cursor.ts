import { isInTimeRange } from '@waiver-service/waivers';
import type { Page } from './page.ts';

/** A cursor that no list of ours gave out. */
export class MalformedCursor extends Error {
  override readonly name = 'MalformedCursor';
  constructor() {
    super('the cursor is not one that this list gave out');
  }
}

// Two ids of 256 bytes, escaped by JSON, and base64: no cursor of ours is longer.
const maxLength = 8_192;

/** Where a page ended, as an opaque text that is safe in a URL. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Reads a cursor back.
 *
 * @param length how many parts the position has.
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
    // What PostgreSQL cannot take as text must not reach it.
    if (typeof part !== 'string' || part.includes('\u0000') || !part.isWellFormed())
      throw new MalformedCursor();
    return part;
  });
}

/** The cursor of a list that is in the order of one id. @throws MalformedCursor */
export function decodeIdCursor(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (id === undefined) throw new MalformedCursor();
  return id;
}

/**
 * A time of a cursor, as `toISOString` writes it, in the range that is stored.
 *
 * @throws MalformedCursor
 */
export function decodeTime(text: string): Date {
  const time = new Date(text);
  if (!isInTimeRange(time.getTime()) || time.toISOString() !== text) throw new MalformedCursor();
  return time;
}

/**
 * Makes a page of rows that were asked for with one more than the limit.
 *
 * @param positionOf the parts of the cursor that stand for a row.
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly string[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: shown.map(itemOf), next: more ? encodeCursor(positionOf(last)) : null };
}
