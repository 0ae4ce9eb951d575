import type { SchemaMigration } from './schema-migration.ts';

const index = (name: string, on: string): SchemaMigration => ({ index: { name, on } });

/** Indexes of what the migrations 0018 to 0024 read in the tables that grow. */
export const largeIndexes = {
  // Failed attempts by their error and by their status, newest deliveries last. Accepted ones, which are nearly all, are
  // in neither.
  '0023-attempt-by-error': index(
    'attempt_by_error',
    'attempt (error_code, delivery) where error_code is not null',
  ),
  '0023-attempt-by-status': index(
    'attempt_by_status',
    'attempt (status, delivery) where error_code is not null',
  ),
  // Hashed, because an index entry has a limit and the address of a former release has none.
  '0023-waiver-by-email': index(
    'waiver_by_email',
    'waiver (pool, hashtextextended(normalized_email(answers), 0)) where erasure is null',
  ),
  '0023-waiver-by-retention': index(
    'waiver_by_retention',
    'waiver (pool, retention_start(last_visit, answers)) where hold_reason is null and erasure is null',
  ),
  '0023-waiver-by-visit': index(
    'waiver_by_visit',
    'waiver (last_visit, id) where booking_id is not null and not deleted',
  ),
  // Signed waivers are nearly all of them, and not in it.
  '0023-waiver-not-signed': index(
    'waiver_not_signed',
    'waiver (pool, deleted, updated_at, id) where deleted or current_page is not null',
  ),
  '0023-waiver-of-erasure': index('waiver_of_erasure', 'waiver (erasure, id) where erasure is not null'),
};
