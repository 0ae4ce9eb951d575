import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { WaiverTable } from '../database/tables-outbox.ts';
import type { Answers, WaiverRecord, WaiverState } from './waiver-record.ts';

/** A row as far as a record is made of it. */
type RecordRow = Omit<Selectable<WaiverTable>, 'content_hash'>;

/** A row as the record that the store gives out. */
export function recordOf(row: RecordRow): WaiverRecord {
  const answers: Answers = JSON.parse(row.answers);
  return {
    id: row.id,
    pool: row.pool,
    bookingSystem: row.booking_system,
    bookingId: row.booking_id,
    bookingGuestId: row.booking_guest_id,
    activities: row.activities,
    lastVisit: row.last_visit,
    currentPage: row.current_page,
    answers,
    deleted: row.deleted,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

/** The bytes of a row `r`, as far as they vary much: ids and times are 1 KiB. */
export const rowBytes: RawBuilder<number> = sql`octet_length(r.answers) + octet_length(array_to_json(r.activities)::text) + 1024`;

/** A row with what only the store knows of it. */
export function stateOf(row: RecordRow): WaiverState {
  return { ...recordOf(row), lastVisitSource: row.last_visit_source };
}

/** A state without what only the store knows. */
export function withoutSource(state: WaiverState): WaiverRecord {
  const { lastVisitSource: _, ...record } = state;
  return record;
}

/** A state as the parameters of the statement that writes it. */
export function columnsOf(state: WaiverState) {
  return {
    pool: state.pool,
    id: state.id,
    version: state.version,
    booking_system: state.bookingSystem,
    booking_id: state.bookingId,
    booking_guest_id: state.bookingGuestId,
    activities: state.activities,
    last_visit: state.lastVisit.toISOString(),
    last_visit_source: state.lastVisitSource,
    current_page: state.currentPage,
    answers: JSON.stringify(state.answers),
    deleted: state.deleted,
    created_at: state.createdAt.toISOString(),
    updated_at: state.updatedAt.toISOString(),
  };
}
