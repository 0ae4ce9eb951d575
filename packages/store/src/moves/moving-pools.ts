import { type RawBuilder, sql } from 'kysely';

/** Whether the pool that a column names is leaving for another cell: nothing of it is begun here any more. */
export const isMoving = (pool: RawBuilder<unknown>): RawBuilder<boolean> => sql`
(${pool} in (select m.pool from pool_move m where m.state <> 'arrived'))`;

/** Whether the pool that a column names is being copied, or gone: what is written of it here now would not arrive there. */
export const isFrozen = (pool: RawBuilder<unknown>): RawBuilder<boolean> => sql`
(${pool} in (select m.pool from pool_move m where m.state in ('copying', 'left')))`;

/** Lets a transaction change rows of pools that are being moved: only what the other cell has its own of. */
export const changesMovingPools = sql`select set_config('waiver_service.moves_pool', 'on', true)`;

/** The same as {@link changesMovingPools} for one statement, as a condition on the rows that it changes. Always true. */
export const mayChangeMovingPools: RawBuilder<boolean> = sql`
(set_config('waiver_service.moves_pool', 'on', true) = 'on')`;

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
