import { sql } from 'kysely';
import { idAfter, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { inPools } from '../pools/in-pools.ts';
import type { StoreContext } from '../store-context.ts';

/** The delivered and failed attempts in one bucket of time. */
export interface ActivityBucket {
  /** Its beginning. */
  readonly at: Date;
  readonly delivered: number;
  readonly failed: number;
}

/** How one destination fared over time. */
export interface DestinationActivity {
  readonly destination: string;
  /** Oldest first, without empty ones. */
  readonly buckets: readonly ActivityBucket[];
}

/** How far back to look, and in which buckets: a quarter of an hour, or a multiple of it. */
export interface ActivityRequest extends PageRequest {
  readonly pools?: readonly string[] | undefined;
  readonly since: Date;
  readonly bucketMs: number;
}

/** How destinations fare over time. */
export interface DestinationActivities {
  /** Of destinations that are not closed, except alerts', in the order of their list. @throws MalformedCursor */
  list(request: ActivityRequest): Promise<Page<DestinationActivity>>;
}

interface Row {
  readonly destination: string;
  readonly buckets: readonly { readonly at: string; readonly delivered: number; readonly failed: number }[];
}

export function createDestinationActivities({
  onReplica,
}: Pick<StoreContext, 'onReplica'>): DestinationActivities {
  return {
    async list({ pools, since, bucketMs, limit, cursor }) {
      const after = idAfter(cursor);
      const step = sql`${bucketMs}::double precision * interval '1 millisecond'`;
      const found = sql<Row>`
select t.id as destination, coalesce(b.buckets, '[]') as buckets
from (
  select t.id from destination t
  where t.id > ${after} and t.status <> 'closed' and t.kind <> 'alert' and ${inPools(sql`t.pool`, pools)}
  order by t.id limit ${limit + 1}::integer) t
left join lateral (
  select json_agg(json_build_object('at', p.at, 'delivered', p.delivered, 'failed', p.failed) order by p.at) as buckets
  from (
    select date_bin(${step}, a.at, ${since}::timestamptz) as at, sum(a.delivered)::integer as delivered,
      sum(a.failed)::integer as failed
    from destination_activity a where a.destination = t.id and a.at >= ${since}::timestamptz
    group by 1) p) b on true
order by t.id`;
      const { rows } = await onReplica((database) => found.execute(database));
      return pageOf(
        rows,
        limit,
        ({ destination }) => [destination],
        ({ destination, buckets }) => ({
          destination,
          buckets: buckets.map(({ at, ...bucket }) => ({ at: new Date(at), ...bucket })),
        }),
      );
    },
  };
}
