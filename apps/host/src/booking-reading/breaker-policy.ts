/**
 * When reads of one installation are held back, as a function of what came of the former ones.
 *
 * - closed (`heldUntil` undefined): every read goes. The fifth failure in a row within a minute holds reads back.
 * - held (before `heldUntil`): no read goes.
 * - held, and `heldUntil` has passed: one read goes, as a probe, and the others are held back for as long again.
 * - An answer, also one that is no booking, closes it. A failure of the probe begins a new hold.
 */
export interface BreakerState {
  /** The times of the last failures in a row, in milliseconds. */
  readonly failures: readonly number[];
  readonly heldUntil: number | undefined;
  readonly isProbing: boolean;
}

/** Whether a read may start now, and the next state. */
export interface Admission {
  readonly state: BreakerState;
  /** Milliseconds until the next read may start; 0 if this one may. */
  readonly waitMs: number;
}

export const maxFailuresInARow = 5;
export const failuresWithinMs = 60_000;
export const holdMs = 15_000;

/** The state of an installation without failures. */
export const closed: BreakerState = { failures: [], heldUntil: undefined, isProbing: false };

/** Decides whether a read may start at a given time. */
export function admit(state: BreakerState, now: number): Admission {
  if (state.heldUntil === undefined) return { state, waitMs: 0 };
  if (now < state.heldUntil) return { state, waitMs: state.heldUntil - now };
  // If a probe never ends, because its caller left, another one follows.
  return { state: { ...state, heldUntil: now + holdMs, isProbing: true }, waitMs: 0 };
}

/** The state after a failed read. Reads that began before a hold do not extend it. */
export function afterFailure(state: BreakerState, now: number): BreakerState {
  if (state.heldUntil !== undefined) {
    return state.isProbing ? { ...state, heldUntil: now + holdMs, isProbing: false } : state;
  }
  const failures = [...state.failures, now].slice(-maxFailuresInARow);
  const [first = now] = failures;
  const isHeld = failures.length === maxFailuresInARow && now - first <= failuresWithinMs;
  return { failures, heldUntil: isHeld ? now + holdMs : undefined, isProbing: false };
}
