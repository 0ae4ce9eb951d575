/** A scenario of a plugin's test that a clause completed. */
export interface RanScenario {
  /** A `void` is also a `guest-update`; both count only if the booking system accepted the write. */
  readonly kind: 'body' | 'refusal' | 'judged' | 'guest-update' | 'void' | 'inbound';
  readonly name: string;
}

/** Stored in the `meta` of a clause's test, for reporters. */
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
