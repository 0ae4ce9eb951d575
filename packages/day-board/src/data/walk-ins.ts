import type { Database } from '@waiver-service/store/features';
import { sql } from 'kysely';

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

/**
 * The walk-ins whose visit is in a period: those who have signed first, since anyone with a desk's link may begin any
 * number; the earliest first.
 */
export async function listWalkIns(
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
order by w.current_page is not null, w.last_visit, w.id limit ${limit}::integer`.execute(database);
  return rows;
}
