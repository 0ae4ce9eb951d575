import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import { limitPageBytes } from '../pages/page-bytes.ts';
import { lastVisitOf, type VisitSession } from './last-visit.ts';
import { nextState } from './next-state.ts';
import { planMessages } from './plan-messages.ts';
import { readPool } from './read-pool.ts';
import type { WaiverState } from './waiver-record.ts';
import { rowBytes, stateOf } from './waiver-row.ts';
import { updateWaivers } from './write-waivers.ts';

/** A booking that was read, as far as `lastVisit` needs it. */
export interface VisitBooking {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
  readonly sessions: readonly VisitSession[];
}

// A read that finds more, or more bytes than a page has, leaves the rest to the next one.
const mostRecords = 500;

/**
 * Puts right the records of a booking whose `lastVisit` was only their time of creation, now that the booking has
 * been read: a stored change each, with its version and its messages. Voided records stay as they are.
 *
 * @returns how many were put right.
 */
export async function correctLastVisit(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, bookingId, sessions }: VisitBooking,
): Promise<number> {
  const waiting = transaction
    .selectFrom('waiver')
    .where('pool', '=', pool)
    .where('booking_id', '=', bookingId)
    .where('booking_system', '=', bookingSystem)
    .where('last_visit_source', '=', 'created')
    .where('deleted', '=', false)
    .orderBy('id');
  const candidates = limitPageBytes(waiting.select(['id', 'answers', 'activities']).limit(mostRecords), {
    order: sql`r.id`,
    bytes: rowBytes,
    limit: mostRecords,
  });
  const found = waiting.selectAll().where('id', 'in', sql<string>`(select id from (${candidates}) c)`);
  // All rows are locked before any lane is: the order that every other change keeps.
  const formers = (await found.forUpdate().execute())
    .map(stateOf)
    .filter((former) => isFound(former, sessions));
  if (formers.length === 0) return 0;
  const reading = await readPool(transaction, pool);
  const steps = formers.map((former) => ({
    formerVersion: former.version,
    next: nextState(former, former, sessions, reading.now).next,
  }));
  const messages = steps.flatMap(({ next }) => planMessages(next, undefined, reading));
  return (await updateWaivers(transaction, steps, messages)).changed.length;
}

const isFound = ({ activities, createdAt }: WaiverState, sessions: readonly VisitSession[]) =>
  lastVisitOf(sessions, activities, createdAt).lastVisitSource === 'session';
