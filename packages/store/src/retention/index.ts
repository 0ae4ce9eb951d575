export { type OldestKept, oldestKept } from './oldest-kept.ts';
export { createPruneDeliveriesJob } from './prune-deliveries.ts';
export { createPruneWaiversJob } from './prune-waivers.ts';
export { createPrunedCounts, type PrunedCounts, type PrunedKind } from './pruned-counts.ts';
