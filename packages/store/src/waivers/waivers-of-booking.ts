import { sql } from 'kysely';
import { batchCalls } from '../database/batch-calls.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';

/** Whose waivers are wanted. */
interface WaiversWanted {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** What shows whose waiver a record of a booking is, and how far it has come. Of its answers it has the name alone. */
export interface BookingWaiver {
  readonly id: string;
  readonly bookingGuestId: string | null;
  readonly currentPage: string | null;
  readonly name: string | null;
  readonly lastVisit: Date;
  readonly createdAt: Date;
}

interface PlacedRow extends BookingWaiver {
  /** Which booking it belongs to. */
  readonly place: number;
}

const mostOfOneBooking = 1_000;
const mostTogether = 256;

async function readTogether(database: Database, wanted: readonly WaiversWanted[]) {
  const { rows } = await sql<PlacedRow>`${prepared}
select b.place, w.id, w.booking_guest_id as "bookingGuestId", w.current_page as "currentPage",
  w.answers::json ->> 'name' as name, w.last_visit as "lastVisit", w.created_at as "createdAt"
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

/** Makes the function that reads the waivers of a booking; bookings that are asked for at once are read together. */
export function createWaiversOfBooking(
  database: Database,
): (wanted: WaiversWanted) => Promise<BookingWaiver[]> {
  return batchCalls<WaiversWanted, BookingWaiver[]>({
    maxBatchSize: mostTogether,
    async run(wanted) {
      const rowsOf = await readTogether(database, wanted);
      return wanted.map((_, place) => ({
        status: 'fulfilled',
        value: (rowsOf.get(place) ?? []).map(({ place: _, ...waiver }) => waiver),
      }));
    },
  });
}
