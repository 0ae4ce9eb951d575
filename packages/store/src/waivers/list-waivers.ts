import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { WaiverTable } from '../database/tables-outbox.ts';
import { decodeCursor, decodeTime } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { limitPageBytes, type PagedRow, pageOfBytes } from '../pages/page-bytes.ts';
import type { WaiverRecord } from './waiver-record.ts';
import { recordOf, rowBytes } from './waiver-row.ts';

/** Which records are listed. */
export interface WaiverListRequest extends PageRequest {
  readonly bookingId?: string | undefined;
  /** Records that changed at this time or later. */
  readonly updatedSince?: Date | undefined;
}

function positionOf(cursor: string): { updatedAt: Date; id: string } {
  const [time = '', id = ''] = decodeCursor(cursor, 2);
  return { updatedAt: decodeTime(time), id };
}

/**
 * A pool's records by their last change. A record that changes while the list is read moves towards its end. One whose
 * transaction commits late can come in before what was read: whoever must miss none reads the changes.
 */
export async function listWaivers(
  database: Database,
  pool: string,
  { bookingId, updatedSince, cursor, limit }: WaiverListRequest,
): Promise<Page<WaiverRecord>> {
  let query = database
    .selectFrom('waiver')
    .selectAll()
    .where('pool', '=', pool)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit + 1);
  if (bookingId !== undefined) query = query.where('booking_id', '=', bookingId);
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
  if (cursor !== undefined) {
    const { updatedAt, id } = positionOf(cursor);
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('updated_at', 'id'), '>', tuple(updatedAt, id)),
    );
  }
  const order = sql`r.updated_at, r.id`;
  const page = limitPageBytes(query, { order, bytes: rowBytes, limit });
  const { rows } = await sql<Selectable<WaiverTable> & PagedRow>`${page}`.execute(database);
  return pageOfBytes(rows, ({ updated_at, id }) => [updated_at.toISOString(), id], recordOf);
}
