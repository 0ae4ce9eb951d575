import { rowsOf } from '@waiver-service/database';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';

/** Replaces the bodies of a pool's messages, from which answers were withdrawn. */
export async function replaceBodies(
  transaction: DatabaseTransaction,
  pool: string,
  bodies: readonly { readonly id: string; readonly body: string }[],
): Promise<void> {
  await sql`
    update delivery d set body = c.body from ${rowsOf(bodies, 'c', { id: 'uuid', body: 'text' })}
    where d.id = c.id and d.pool = ${pool}`.execute(transaction);
}
