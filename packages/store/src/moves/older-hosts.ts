import { sql } from 'kysely';
import { serviceName } from '../database/connect.ts';
import type { Database } from '../database/database.ts';
import { MoveProblem } from './move-problem.ts';

// Hosts that do not know this one answer calls for a pool that has left with 404, which callers take for final.
const neededMigration = '0027-pool-moves';

/** @throws MoveProblem while hosts run in this cell that know nothing of pools that have left */
export async function requireNoOlderHosts(database: Database): Promise<void> {
  const { rows } = await sql<{ connections: number }>`
select count(*)::integer as connections from pg_stat_activity
where datname = current_database() and split_part(application_name, ' ', 1) = ${serviceName}
  and split_part(application_name, ' ', 2) collate "C" < ${neededMigration}`.execute(database);
  const connections = rows[0]?.connections ?? 0;
  if (connections === 0) return;
  throw new MoveProblem(
    `hosts of an older version run in this cell (${connections} connections), which would answer 404 for a pool that has moved: replace them first`,
  );
}

/** From now on such hosts are not ready on this database, and do not start. */
export async function shutOutOlderHosts(database: Database): Promise<void> {
  await sql`
update migration set needs = name where name = ${neededMigration} and needs is distinct from name`.execute(
    database,
  );
}
