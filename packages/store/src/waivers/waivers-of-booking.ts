import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { groupCalls } from '../database/group-calls.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { WaiverTable } from '../database/tables-outbox.ts';
import type { WaiverRecord } from './waiver-record.ts';
import { recordOf } from './waiver-row.ts';

/** Whose waivers are wanted. */
interface WaiversWanted {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
}

interface PlacedRow extends Omit<Selectable<WaiverTable>, 'content_hash'> {
  /** Which booking it belongs to. */
  readonly place: number;
}

const mostOfOneBooking = 1_000;
const mostTogether = 256;

async function readTogether(database: Database, wanted: readonly WaiversWanted[]) {
  const { rows } = await sql<PlacedRow>`${prepared}
select b.place, w.pool, w.id, w.version, w.booking_system, w.booking_id, w.booking_guest_id, w.activities, w.last_visit,
  w.last_visit_source, w.current_page, w.answers, w.deleted, w.created_at, w.updated_at
from unnest(${wanted.map((_, place) => place)}::integer[], ${wanted.map(({ pool }) => pool)}::text[],
  ${wanted.map(({ bookingSystem }) => bookingSystem)}::text[],
  ${wanted.map(({ bookingId }) => bookingId)}::text[]) b (place, pool, booking_system, booking_id)
cross join lateral (
  select * from waiver o
  where o.pool = b.pool and o.booking_id = b.booking_id and o.booking_system = b.booking_system and not o.deleted
  order by o.updated_at, o.id limit ${mostOfOneBooking}) w
order by b.place, w.updated_at, w.id`.execute(database);
  return Map.groupBy(rows, ({ place }) => place);
}

/** Makes the function that reads the records of a booking; bookings that are asked for at once are read together. */
export function createWaiversOfBooking(
  database: Database,
): (wanted: WaiversWanted) => Promise<WaiverRecord[]> {
  return groupCalls<WaiversWanted, WaiverRecord[]>({
    most: mostTogether,
    async run(wanted) {
      const rowsOf = await readTogether(database, wanted);
      return wanted.map((_, place) => ({
        status: 'fulfilled',
        value: (rowsOf.get(place) ?? []).map(recordOf),
      }));
    },
  });
}
