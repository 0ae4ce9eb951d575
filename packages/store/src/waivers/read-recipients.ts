import { prepared } from '@waiver-service/database';
import type { Recipients } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** The data of a pool that a change of a waiver needs. */
export interface PoolReading {
  /** Whether the pool exists. */
  readonly known: boolean;
  /** The database's clock, truncated to milliseconds. */
  readonly now: Date;
  readonly recipients: Recipients;
}

interface PoolRow extends Recipients {
  readonly pool: string;
  readonly known: boolean;
  readonly now: Date;
}

/** Reads the recipients of waivers, by pool. */
export async function readRecipients(
  database: Database,
  pools: readonly string[],
): Promise<ReadonlyMap<string, PoolReading>> {
  const { rows } = await sql<PoolRow>`${prepared}
select p.pool, coalesce((select true from pool where id = p.pool), false) as known,
  date_trunc('milliseconds', clock_timestamp()) as now,
  (select coalesce(json_agg(json_build_object('destination', d.id, 'permissionVersion', d.permission_version,
      'bookingSystem', i.booking_system, 'guestId', i.guest_id, 'properties', i.share_properties)), '[]')
    from installation i join destination d on d.id = i.destination_id
    where i.pool = p.pool and i.status = 'installed' and i.takes_guest_updates and d.status <> 'closed') as installations,
  (select coalesce(json_agg(json_build_object('destination', d.id, 'permissionVersion', d.permission_version,
      'properties', w.properties)), '[]')
    from webhook w join destination d on d.id = w.destination_id
    where w.pool = p.pool and d.status <> 'closed') as webhooks
from unnest(${[...new Set(pools)]}::text[]) p (pool)`.execute(database);
  return new Map(
    rows.map(({ pool, known, now, installations, webhooks }) => [
      pool,
      { known, now, recipients: { installations, webhooks } },
    ]),
  );
}
