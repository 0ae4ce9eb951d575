/** A kind of pruned rows. */
export type PrunedKind = 'attempt' | 'audit-entry' | 'delivery' | 'waiver';

/** Rows pruned by this process since it started. */
export interface PrunedCounts {
  add(kind: PrunedKind, pruned: number): void;
  readonly counts: Readonly<Record<PrunedKind, number>>;
}

export function createPrunedCounts(): PrunedCounts {
  const counts = { attempt: 0, 'audit-entry': 0, delivery: 0, waiver: 0 };
  return {
    counts,
    add(kind, pruned) {
      counts[kind] += pruned;
    },
  };
}
