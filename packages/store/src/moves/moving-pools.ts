import { type RawBuilder, sql } from 'kysely';

/** Whether the pool that a column names is leaving for another cell: nothing of it is begun here any more. */
export const isMoving = (pool: RawBuilder<unknown>): RawBuilder<boolean> => sql`
(${pool} in (select m.pool from pool_move m where m.state <> 'arrived'))`;

// SQLSTATE with which the database refuses changes of such a pool; see the migration 0027.
const poolMovingCode = 'WS001';

/** A change that the database would not refuse by itself. */
export class PoolIsMoving extends Error {
  override readonly name = 'PoolIsMoving';
  readonly code = poolMovingCode;
  constructor() {
    super('the pool is being moved to another cell');
  }
}

/** Whether a change was refused because its pool is leaving for another cell. Nothing of it was stored. */
export const isPoolMoving = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === poolMovingCode;
