import type { DestinationItem } from '@waiver-service/api';
import type { Page, PageRequest, RowOf } from '@waiver-service/database';
import { idOfCursor, omitNulls, pageOf } from '@waiver-service/database';
import { isHeld, pauseDestination, resumeDestination } from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { inPools } from '../pools/pools.ts';
import type { StoreContext } from '../store-context.ts';

/** Whether a destination is sent to. */
export type DestinationStatus = 'active' | 'paused' | 'closed';

/** Columns with the installation or the webhook that a destination belongs to; both null once it is removed. */
export const ownersOf = (destination: RawBuilder<string>): RawBuilder<unknown> => sql`
(select i.booking_system from installation i where i.destination_id = ${destination}) as booking_system,
(select json_build_object('id', w.id, 'url', w.url) from webhook w where w.destination_id = ${destination}) as webhook`;

const columns = sql`
t.id, t.kind, t.pool, t.status, ${ownersOf(sql`t.id`)},
(select case when i.status = 'pending' then 'pending'
    when exists (select from booking_system_session s where s.destination = t.id and s.lost_since is not null)
    then 'needs_attention' else 'active' end
  from installation i where i.destination_id = t.id) as installation_status,
t.consecutive_failures, t.failing_since as first_failure_at,
case when t.failing_since is not null then t.last_failure_code end as last_error_code,
case when ${isHeld} then greatest(t.held_until, t.unauthorized_until) end as held_until,
(select count(*) from pending p where p.destination = t.id) as waiting,
(select d.created_at from pending p join delivery d on d.id = p.id and d.pool = p.pool
  where p.destination = t.id order by p.id limit 1) as oldest_waiting_at`;

const itemOf = (row: RowOf<DestinationItem>): DestinationItem =>
  omitNulls(
    row,
    ...(['bookingSystem', 'webhook', 'installationStatus'] as const),
    ...(['firstFailureAt', 'lastErrorCode', 'heldUntil', 'oldestWaitingAt'] as const),
  );

async function get(database: Database, id: string): Promise<DestinationItem | undefined> {
  const { rows } = await sql<
    RowOf<DestinationItem>
  >`select ${columns} from destination t where t.id = ${id}`.execute(database);
  return rows[0] && itemOf(rows[0]);
}

/** The destinations, as operators see them. */
export function createDestinations({ database, notifications }: StoreContext) {
  return {
    /** Those that are not closed, nor alerts, oldest first; only those of `pools` if given. @throws MalformedCursor */
    async list({ limit, cursor }: PageRequest, pools?: readonly string[]): Promise<Page<DestinationItem>> {
      const after = idOfCursor(cursor);
      const { rows } = await sql<RowOf<DestinationItem>>`
select ${columns} from destination t where t.id > ${after} and t.status <> 'closed' and t.kind <> 'alert' and ${inPools(sql`t.pool`, pools)}
order by t.id limit ${limit + 1}::integer`.execute(database);
      return pageOf(rows, limit, ({ id }) => [id], itemOf);
    },
    /** The pool of a destination, which never changes. */
    async poolOf(id: string): Promise<string | undefined> {
      const row = await database
        .selectFrom('destination')
        .select('pool')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.pool;
    },
    get: (id: string): Promise<DestinationItem | undefined> => get(database, id),
    /** See {@link resumeDestination}. */
    async resume(id: string): Promise<DestinationItem | undefined> {
      await resumeDestination(database, id);
      notifications.announce('setups');
      notifications.announce('outbox');
      return get(database, id);
    },
    /** See {@link pauseDestination}. */
    async pause(id: string): Promise<DestinationItem | undefined> {
      await pauseDestination(database, id);
      return get(database, id);
    },
  };
}
