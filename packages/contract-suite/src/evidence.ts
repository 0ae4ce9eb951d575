/** A scenario of a plugin's test that a clause went through to its end. */
export interface RanScenario {
  /** A `void` is also a `guest-update`; both only if the booking system accepted what was written. */
  readonly kind: 'body' | 'refusal' | 'judged' | 'guest-update' | 'void' | 'inbound';
  readonly name: string;
}

/** Left in the `meta` of the test of a clause, for a reporter. */
export interface ClauseMeta {
  readonly installName: string;
  /** The clause's id, such as `read/auth-header`. */
  readonly clause: string;
  readonly scenarios: readonly RanScenario[];
}

declare module 'vitest' {
  interface TaskMeta {
    contractClause?: ClauseMeta;
  }
}
