import { prepared } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { idsOfBooking, referenceOf } from './booking-ids.ts';
import type { Database } from './tables.ts';

/** Whether a guest has begun a waiver `w`, and neither signed nor ended it. The index `waiver_begun` serves this. */
export const isBegun: RawBuilder<boolean> = sql`(
  w.begun is not null and not w.deleted and w.current_page is not null and w.erasure is null)`;

const nameOf = (waiver: 'w' | 's') =>
  sql`nullif(array_to_string(search_words(${sql.raw(waiver)}.answers::json ->> 'name'), ' '), '')`;

/**
 * Whether a waiver `w` is of the guest of the waiver `s`, in the same booking under any of its ids: by the guest's id or,
 * if neither has one, by the name as the search compares it.
 *
 * @param known the one that a statement reads first: the other is found by the ids of its booking, with an index
 */
export const isOfSameGuest = (known: 's' | 'w'): RawBuilder<boolean> => sql`(
  w.pool = s.pool and w.booking_system = s.booking_system
  and ${sql.raw(known === 's' ? 'w.booking_id' : 's.booking_id')} = any (array(${idsOfBooking(referenceOf(known))}))
  and case when w.booking_guest_id is null and s.booking_guest_id is null then ${nameOf('w')} = ${nameOf('s')}
    else w.booking_guest_id = s.booking_guest_id end)`;

/** What guests of a signing have begun elsewhere in its booking, by id. */
export async function begunElsewhere(
  database: Database,
  pool: string,
  signed: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`${prepared}
select distinct w.id from waiver s join waiver w on ${isOfSameGuest('s')} and ${isBegun}
where s.pool = ${pool} and s.id = any (${[...signed]}::text[]) and not w.id = any (${[...signed]}::text[])
order by w.id`.execute(database);
  return rows.map(({ id }) => id);
}
