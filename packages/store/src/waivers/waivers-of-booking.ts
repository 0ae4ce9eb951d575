import { batchCalls, prepared } from '@waiver-service/database';
import type { BookingKey, WaiverRecord } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { guestsFirst, idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';

/** A waiver of a booking: whose it is, and whether it is finished. */
export interface BookingWaiver
  extends Pick<WaiverRecord, 'id' | 'bookingGuestId' | 'currentPage' | 'validUntil' | 'lastVisitSource'> {
  /** The answer `name`. */
  readonly name: string | null;
}

interface PlacedRow extends BookingWaiver {
  /** The position of its booking in the request. */
  readonly place: number;
}

const maxWaiversOfBooking = 1_000;
const maxBatchSize = 256;

async function readBatch(database: Database, wanted: readonly BookingKey[]) {
  const { rows } = await sql<PlacedRow>`${prepared}
select b.place, w.id, w.booking_guest_id, w.current_page,
  w.valid_until, w.answers::json ->> 'name' as name, w.last_visit_source
from unnest(${wanted.map((_, place) => place)}::integer[], ${wanted.map(({ pool }) => pool)}::text[],
  ${wanted.map(({ bookingSystem }) => bookingSystem)}::text[],
  ${wanted.map(({ bookingId }) => bookingId)}::text[]) b (place, pool, booking_system, booking_id)
cross join lateral (
  select o.* from (${idsOfBooking(referenceOf('b'))}) i
  join waiver o on o.pool = b.pool and o.booking_id = i.id and o.booking_system = b.booking_system
    and not o.deleted and o.erasure is null
  order by ${guestsFirst('o')}, o.updated_at, o.id limit ${maxWaiversOfBooking}) w
order by b.place, w.updated_at, w.id`.execute(database);
  return Map.groupBy(rows, ({ place }) => place);
}

const withoutPlace = ({ place: _, ...waiver }: PlacedRow): BookingWaiver => waiver;

/** Reads the waivers of a booking, in the caller's transaction. */
export async function readWaiversOf(database: Database, booking: BookingKey): Promise<BookingWaiver[]> {
  return ((await readBatch(database, [booking])).get(0) ?? []).map(withoutPlace);
}

/** Creates the function that reads the waivers of a booking. Concurrent calls are batched. */
export function createWaiversOfBooking(
  database: Database,
): (booking: BookingKey) => Promise<BookingWaiver[]> {
  return batchCalls<BookingKey, BookingWaiver[]>({
    maxBatchSize,
    async run(wanted) {
      const rowsOf = await readBatch(database, wanted);
      return wanted.map((_, place) => ({
        status: 'fulfilled',
        value: (rowsOf.get(place) ?? []).map(withoutPlace),
      }));
    },
  });
}
