import { decodeCursor, encodeCursor, limitPageBytes, MalformedCursor } from '@waiver-service/database';
import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from '../waivers/waiver-columns.ts';

/** The position of the last change that a reader has read. */
export interface ChangePosition {
  /** Its transaction (`xid8`). */
  readonly transaction: string;
  readonly id: string;
}

/** A record that changed. */
export interface ChangedWaiver extends WaiverRecord {
  /** Whether it is erased: nothing of it is left but its id. */
  readonly erased: boolean;
}

export interface ChangesPage {
  readonly items: ChangedWaiver[];
  /** The cursor after this page; the reader's own if there is nothing new. */
  readonly next: string;
}

/** The position before all changes. */
const beginning: ChangePosition = { transaction: '0', id: '' };

/**
 * Parses the `next` of a page. A cursor of another era, from before the database was restored, means the beginning, so
 * that no change is skipped.
 *
 * @throws MalformedCursor
 */
export function positionAfter(after: string | undefined, era: string): ChangePosition {
  if (after === undefined) return beginning;
  const [cursorEra, transaction = '', id = ''] = decodeCursor(after, 3);
  if (!/^\d{1,19}$/.test(transaction)) throw new MalformedCursor();
  return cursorEra === era ? { transaction, id } : beginning;
}

export const cursorOf = ({ transaction, id }: ChangePosition, era: string) =>
  encodeCursor([era, transaction, id]);

/**
 * Whether no running transaction began before the one that changed record `w`. Only such changes are listed: whatever
 * commits later has a later position.
 */
export const isSettled: RawBuilder<boolean> = sql`w.changed_in < pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * Lists a pool's records in the order of the transactions that last changed them, up to the oldest running one. A
 * record that changes meanwhile moves to the end. One that is being erased is listed once it is erased.
 */
export async function listChanges(
  database: Database,
  pool: string,
  position: ChangePosition,
  limit: number,
): Promise<{ readonly items: ChangedWaiver[]; readonly last: ChangePosition }> {
  const found = sql`
select w.* from waiver w
where w.pool = ${pool} and (w.changed_in, w.id) > (${position.transaction}::xid8, ${position.id}) and ${isSettled}
  and (w.erasure is null or w.erased_at is not null)
order by w.changed_in, w.id limit ${limit + 1}::integer`;
  const page = limitPageBytes(found, { order: sql`r.changed_in, r.id`, bytes: rowBytes, limit });
  const { rows } = await sql<WaiverRow & { readonly transaction: string; readonly erased: boolean }>`
select ${waiverColumns}, w.changed_in as transaction, w.erased_at is not null as erased from (${page}) w order by w.page_place`.execute(
    database,
  );
  const last = rows.at(-1);
  return {
    items: rows.map(({ transaction, erased, ...row }) => ({ ...recordOf(row), erased })),
    last: last === undefined ? position : { transaction: last.transaction, id: last.id },
  };
}
