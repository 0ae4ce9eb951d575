import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { VisitSession } from './last-visit.ts';
import type { Recipients } from './recipients.ts';

/** What a change has to know of its pool. */
export interface PoolReading extends Recipients {
  /** Whether there is such a pool. */
  readonly known: boolean;
  /** The database's clock, in milliseconds. */
  readonly now: Date;
}

interface PoolRow extends PoolReading {
  readonly pool: string;
}

/** Reads whom the waivers of some pools go to, and what time it is. */
export async function readPools(
  database: Database,
  pools: ReadonlySet<string>,
): Promise<ReadonlyMap<string, PoolReading>> {
  const { rows } = await sql<PoolRow>`${prepared}
select p.pool, exists (select from pool where id = p.pool) as known,
  date_trunc('milliseconds', clock_timestamp()) as now,
  (select coalesce(json_agg(json_build_object('destination', d.id, 'permissionVersion', d.permission_version,
      'bookingSystem', i.booking_system, 'guestId', i.guest_id, 'properties', i.share_properties)), '[]')
    from installation i join destination d on d.id = i.destination_id
    where i.pool = p.pool and i.status = 'installed' and i.takes_guest_updates and d.status <> 'closed') as installations,
  (select coalesce(json_agg(json_build_object('destination', d.id, 'permissionVersion', d.permission_version,
      'properties', w.properties)), '[]')
    from webhook w join destination d on d.id = w.destination_id
    where w.pool = p.pool and d.status <> 'closed') as webhooks
from unnest(${[...pools]}::text[]) p (pool)`.execute(database);
  return new Map(rows.map(({ pool, ...reading }) => [pool, reading]));
}

/** The same for one pool. */
export async function readPool(database: Database, pool: string): Promise<PoolReading> {
  const reading = (await readPools(database, new Set([pool]))).get(pool);
  if (reading === undefined) throw new Error('a pool was asked for and is not in the answer');
  return reading;
}

/** The sessions of the last good answer for a booking, empty where none is kept. */
export async function readSessions(
  database: Database,
  { pool, bookingSystem, bookingId }: SessionsOf,
): Promise<readonly VisitSession[]> {
  if (bookingSystem === null || bookingId === null) return [];
  const { rows } = await sql<{ sessions: readonly VisitSession[] | null }>`${prepared}
select fetched::json #> '{booking,bookedSessions}' as sessions from cached_booking
where pool = ${pool} and booking_system = ${bookingSystem} and booking_id = ${bookingId}`.execute(database);
  return rows[0]?.sessions ?? [];
}

/** The booking whose sessions are asked for. */
export interface SessionsOf {
  readonly pool: string;
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
}
