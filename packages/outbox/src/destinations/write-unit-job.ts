import type { BackgroundJob } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../data/tables.ts';

async function isAnythingWaiting(database: Database, destination: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
select exists (select from pending where destination = ${destination}) as waits`.execute(database);
  return rows[0]?.waits ?? true;
}

// While the destination is locked, nothing is enqueued or reopened: if nothing waits now, nothing will before the
// commit.
async function switchWriteUnit(transaction: DatabaseTransaction, destination: string): Promise<boolean> {
  const { rows } = await sql`
select 1 from destination where id = ${destination} and next_write_unit is not null for update skip locked`.execute(
    transaction,
  );
  if (rows.length === 0 || (await isAnythingWaiting(transaction, destination))) return false;
  await sql`
update destination set write_unit = next_write_unit, next_write_unit = null where id = ${destination}`.execute(
    transaction,
  );
  return true;
}

/**
 * The job that applies a plugin's new `writeUnit` to its destinations, once nothing waits there: then no message in a
 * lane of the new order can overtake one in a lane of the previous order.
 */
export function createWriteUnitJob(database: Database): BackgroundJob {
  let before = '';
  return {
    name: 'changing the order of messages',
    async runBatch() {
      const { rows } = await sql<{ id: string }>`
select id from destination where next_write_unit is not null order by id <= ${before}, id limit 1`.execute(
        database,
      );
      const [next] = rows;
      if (next === undefined) return false;
      before = next.id;
      if (await isAnythingWaiting(database, next.id)) return false;
      return database.transaction().execute((transaction) => switchWriteUnit(transaction, next.id));
    },
  };
}
