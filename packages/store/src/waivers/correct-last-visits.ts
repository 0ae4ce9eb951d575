import { type BookingKey, draftCorrection, planChange, type VisitSession } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { bookingValue, idsOfBooking } from '../bookings/booking-ids.ts';
import type { DatabaseTransaction } from '../database/database.ts';
import { limitPageBytes } from '../pages/page-bytes.ts';
import { readRecipients } from './read-recipients.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from './waiver-columns.ts';
import { updateWaivers } from './write-waivers.ts';

/** A booking that was read, with what `lastVisit` depends on. */
export interface VisitBooking extends BookingKey {
  readonly sessions: readonly VisitSession[];
}

// The rest is left to the next read of the booking.
const maxCorrected = 500;

/**
 * Corrects the waivers of a booking whose `lastVisit` was only their time of creation, now that the booking has been
 * read: a stored change each, with its version and its messages. Voided waivers stay as they are.
 *
 * @returns the ids of those that were corrected.
 */
export async function correctLastVisits(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, bookingId, sessions }: VisitBooking,
): Promise<readonly string[]> {
  const ids = idsOfBooking(bookingValue({ pool, bookingSystem, bookingId }));
  const isWaiting = sql`w.pool = ${pool} and w.booking_id = any (array(${ids})) and w.booking_system = ${bookingSystem}
    and w.last_visit_source = 'created' and not w.deleted`;
  const candidates = limitPageBytes(
    sql`select w.id, w.answers, w.activities from waiver w where ${isWaiting} order by w.id limit ${maxCorrected}`,
    { order: sql`r.id`, bytes: rowBytes, limit: maxCorrected },
  );
  // Locks all rows before any lane, in the same order as every other change.
  const { rows } = await sql<WaiverRow>`
select ${waiverColumns} from waiver w where ${isWaiting} and w.id in (select id from (${candidates}) c)
order by w.id for update`.execute(transaction);
  const drafts = rows.flatMap((row) => draftCorrection(recordOf(row), sessions) ?? []);
  const reading = (await readRecipients(transaction, [pool])).get(pool);
  if (drafts.length === 0 || reading === undefined) return [];
  const plans = drafts.map((draft) => planChange(draft, { ...reading, sessions, staysInBooking: true }));
  return (await updateWaivers(transaction, plans)).changed;
}
