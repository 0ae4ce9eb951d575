import { type RawBuilder, sql } from 'kysely';

/** The states of waivers that a list can be limited to. */
export const waiverStates = ['signed', 'unfinished', 'voided', 'held'] as const;

/** `unfinished`: at a step before the last. `held`: kept by a hold, and in one of the other states as well. */
export type WaiverState = (typeof waiverStates)[number];

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
