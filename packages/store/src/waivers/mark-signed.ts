import { prepared } from '@waiver-service/database';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';

/** Marks stored waivers as signed by a signing: their later changes are events of it. */
export async function markSigned(
  transaction: DatabaseTransaction,
  pool: string,
  ids: readonly string[],
  signing: string,
): Promise<void> {
  await sql`${prepared}
update waiver w set signing = ${signing} where w.pool = ${pool} and w.id = any (${[...ids]}::text[])`.execute(
    transaction,
  );
}
