import type { Database } from '@waiver-service/store/features';
import { sql } from 'kysely';

/** The flags on the answers of some waivers, by their ids. */
export async function readFlags(
  database: Database,
  pool: string,
  waiverIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (waiverIds.length === 0) return new Map();
  const { rows } = await sql<{ waiverId: string; labels: string[] }>`
select f.waiver_id, array_agg(f.label order by f.item) as labels from signing_flag f
where f.pool = ${pool} and f.waiver_id = any (${[...waiverIds]}::text[]) group by f.waiver_id`.execute(
    database,
  );
  return new Map(rows.map(({ waiverId, labels }) => [waiverId, labels]));
}
