import { currentTime } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** Why a record is kept despite retention and erasures. */
export interface Hold {
  readonly reason: string;
  /** Who placed it. */
  readonly by: string;
  readonly at: Date;
}

const columns = sql`hold_reason as reason, held_by as by, held_at as at`;

/** Holds on records. A hold does not change the record, so nothing is sent. */
export function createHolds(database: Database) {
  return {
    async get(pool: string, waiverId: string): Promise<Hold | undefined> {
      const { rows } = await sql<Hold>`
select ${columns} from waiver where pool = ${pool} and id = ${waiverId} and hold_reason is not null`.execute(
        database,
      );
      return rows[0];
    },
    /** Places or replaces a hold. Undefined if the record is unknown or erased. */
    async place(
      pool: string,
      waiverId: string,
      { reason, by }: Pick<Hold, 'reason' | 'by'>,
    ): Promise<Hold | undefined> {
      const { rows } = await sql<Hold>`
update waiver set hold_reason = ${reason}, held_by = ${by}, held_at = ${currentTime}
where pool = ${pool} and id = ${waiverId} and erasure is null returning ${columns}`.execute(database);
      return rows[0];
    },
    /** @returns false if the record is unknown or erased; true even if it had no hold */
    async release(pool: string, waiverId: string): Promise<boolean> {
      const { numUpdatedRows } = await database
        .updateTable('waiver')
        .set({ holdReason: null, heldBy: null, heldAt: null })
        .where('pool', '=', pool)
        .where('id', '=', waiverId)
        .where('erasure', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}
