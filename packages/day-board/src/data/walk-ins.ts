import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';

/** A waiver that was signed without a booking. */
export interface WalkInWaiver {
  readonly id: string;
  /** The answer `name`. */
  readonly name: string | null;
  readonly currentPage: string | null;
  readonly lastVisit: Date;
  /** The signing that completed it; others with the same one were signed together. */
  readonly signing: string | null;
}

/** The walk-ins whose visit is in a period, earliest first. */
async function listWalkIns(
  database: Database,
  {
    pool,
    from,
    until,
    limit,
  }: { readonly pool: string; readonly from: Date; readonly until: Date; readonly limit: number },
): Promise<readonly WalkInWaiver[]> {
  const { rows } = await sql<WalkInWaiver>`
select w.id, w.answers::json ->> 'name' as name, w.current_page, w.last_visit, w.signing
from waiver w
where w.pool = ${pool} and w.booking_id is null and not w.deleted and w.erasure is null
  and w.last_visit >= ${from} and w.last_visit < ${until}
order by w.last_visit, w.id limit ${limit}::integer`.execute(database);
  return rows;
}

/** The flags on the answers of some waivers, by their ids. */
async function readFlags(
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

export const createDays = ({ database }: StoreContext) => ({
  walkIns: listWalkIns.bind(undefined, database),
  flagsOf: readFlags.bind(undefined, database),
});
