import { expect } from 'vitest';

/**
 * Resolves when the store that was just opened has pruned once, and will not for an hour. On a busy machine it would
 * otherwise prune what the test stores.
 */
export async function untilPruned(query: (text: string) => Promise<readonly unknown[]>): Promise<void> {
  // A store's jobs take turns, and the round over the bookings comes after those that prune deliveries, waivers and
  // audit entries.
  await expect
    .poll(() => query("select from reconciliation where round_started_at > '-infinity'"))
    .toHaveLength(1);
}
