import { prepared } from '@waiver-service/database';
import type { WaiverRecord } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { recordOf, type WaiverRow, waiverColumns } from './waiver-columns.ts';

/** Reads one waiver. Here and below, an erased waiver counts as missing. */
export async function readWaiver(
  database: Database,
  pool: string,
  id: string,
): Promise<WaiverRecord | undefined> {
  const { rows } = await sql<WaiverRow>`${prepared}
select ${waiverColumns} from waiver w where w.pool = ${pool} and w.id = ${id} and w.erasure is null`.execute(
    database,
  );
  return rows.map(recordOf)[0];
}

/** Reads one waiver and locks its row. */
export async function lockWaiver(
  transaction: DatabaseTransaction,
  pool: string,
  id: string,
): Promise<WaiverRecord | undefined> {
  const { rows } = await sql<WaiverRow>`${prepared}
select ${waiverColumns} from waiver w where w.pool = ${pool} and w.id = ${id} and w.erasure is null for update`.execute(
    transaction,
  );
  return rows.map(recordOf)[0];
}

/** Reads waivers without locking them. @returns the existing ones, by id */
export async function readWaivers(
  database: Database,
  wanted: readonly { readonly pool: string; readonly id: string }[],
): Promise<ReadonlyMap<string, WaiverRecord>> {
  const pools = wanted.map(({ pool }) => pool);
  const ids = wanted.map(({ id }) => id);
  const { rows } = await sql<WaiverRow>`${prepared}
select ${waiverColumns}
from unnest(${pools}::text[], ${ids}::text[]) k (pool, id)
join waiver w on w.pool = k.pool and w.id = k.id and w.erasure is null`.execute(database);
  return new Map(rows.map((row) => [row.id, recordOf(row)]));
}
