import type { WaiverState } from '@waiver-service/api';
import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a waiver `w` has a state. The index `waiver_not_signed` serves `unfinished` and `voided`, `waiver_held` serves
 * `held`.
 */
export const hasState: Readonly<Record<WaiverState, RawBuilder<boolean>>> = {
  signed: sql`not w.deleted and w.current_page is null`,
  unfinished: sql`not w.deleted and w.current_page is not null`,
  voided: sql`w.deleted`,
  held: sql`w.hold_reason is not null`,
};
