import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { decodeCursor, encodeCursor, MalformedCursor } from '../pages/cursor.ts';
import { limitPageBytes } from '../pages/page-bytes.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from '../waivers/waiver-columns.ts';

/** After which change a reader goes on. */
export interface ChangePosition {
  /** The transaction (`xid8`) of the last change that was read. */
  readonly transaction: string;
  readonly id: string;
}

/** A page of changes. */
export interface ChangesPage {
  readonly items: WaiverRecord[];
  /** Where to go on; where there is nothing new, where the reader was. */
  readonly next: string;
}

/** Before every change. */
const beginning: ChangePosition = { transaction: '0', id: '' };

/**
 * Reads the `next` of a page. One of another era, before the database was restored, is the beginning: nothing may be
 * passed over.
 * @throws MalformedCursor
 */
export function positionAfter(after: string | undefined, era: string): ChangePosition {
  if (after === undefined) return beginning;
  const [cursorEra, transaction = '', id = ''] = decodeCursor(after, 3);
  if (!/^\d{1,19}$/.test(transaction)) throw new MalformedCursor();
  return cursorEra === era ? { transaction, id } : beginning;
}

/** The same as a text. */
export const cursorOf = ({ transaction, id }: ChangePosition, era: string) =>
  encodeCursor([era, transaction, id]);

/**
 * Whether a record `w` was changed by a transaction that no running one precedes. Only those are told of: whatever
 * commits later has a later place.
 */
export const isSettled: RawBuilder<boolean> = sql`w.changed_in < pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * A pool's records in the order of the transactions that changed them last, as far as no change can come before them
 * any more. A record that changes while they are read moves behind what was read.
 */
export async function listChanges(
  database: Database,
  pool: string,
  position: ChangePosition,
  limit: number,
): Promise<{ readonly items: WaiverRecord[]; readonly last: ChangePosition }> {
  const found = sql`
select w.* from waiver w
where w.pool = ${pool} and (w.changed_in, w.id) > (${position.transaction}::xid8, ${position.id}) and ${isSettled}
order by w.changed_in, w.id limit ${limit + 1}::integer`;
  const page = limitPageBytes(found, { order: sql`r.changed_in, r.id`, bytes: rowBytes, limit });
  const { rows } = await sql<WaiverRow & { readonly transaction: string }>`
select ${waiverColumns}, w.changed_in as transaction from (${page}) w order by w.page_place`.execute(
    database,
  );
  const last = rows.at(-1);
  return {
    items: rows.map(({ transaction, ...row }) => recordOf(row)),
    last: last === undefined ? position : { transaction: last.transaction, id: last.id },
  };
}
