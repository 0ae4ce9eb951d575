/** A kind of pruned rows. */
const prunedKinds = ['attempt', 'audit-entry', 'delivery', 'waiver'] as const;

/** One of {@link prunedKinds}. */
export type PrunedKind = (typeof prunedKinds)[number];

/** How much this process has pruned since it was started. */
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
