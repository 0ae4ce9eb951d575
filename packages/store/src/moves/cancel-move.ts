import { requireNewestMigration } from '../migrations/migrate.ts';
import { hasArrived, lockMove, onSource, onTarget } from './cell-databases.ts';
import { requireCell } from './check-move.ts';
import type { MovePoolOptions } from './move-pool.ts';
import { MoveProblem } from './move-problem.ts';
import { readMove, undoMove } from './move-state.ts';

export type CancelMoveOptions = Pick<MovePoolOptions, 'databaseUrl' | 'pool'> & {
  readonly targetUrl: string | undefined;
};

/**
 * Ends a move that was begun and broke off: the pool goes on in this cell, unless it has arrived in the other.
 *
 * @throws MoveProblem
 */
export function cancelMove({ databaseUrl, targetUrl, pool }: CancelMoveOptions): Promise<void> {
  return onSource(databaseUrl, async ({ database }) => {
    await requireNewestMigration(database);
    await lockMove(database, pool);
    const move = await readMove(database, pool);
    if (move === undefined || move.state === 'arrived')
      throw new MoveProblem(`the pool "${pool}" is not being moved from this cell`);
    const over = new MoveProblem(
      `the pool is in the cell "${move.cell}" already: run the command again without --cancel to finish, and move it back from there if you want to`,
    );
    if (move.state === 'left') throw over;
    await undoMove(database, pool, move, async () => {
      if (move.state !== 'copying') return;
      if (targetUrl === undefined) {
        throw new MoveProblem(
          'set TARGET_DATABASE_URL as for the move: whether the pool has arrived there must be known',
        );
      }
      const arrived = await onTarget(targetUrl, async (target) => {
        await requireCell(target.database, move.cell);
        return hasArrived(target.database, pool, move);
      });
      if (arrived) throw over;
    });
  });
}
