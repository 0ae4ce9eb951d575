import type { FeatureData } from '@waiver-service/store/features';
import { createErasureJob } from './erasure-job.ts';
import { createPruneWaiversJob } from './prune-waivers.ts';
import { migrations } from './tables.ts';

/** Erasures, the job that carries them out, and the one that removes old waivers. */
export const guestData: FeatureData = {
  migrations,
  jobs(context, { deliveryRetentionMs, pruneIntervalMs, onPruned }) {
    const onPrunedWaivers = (pruned: number) => onPruned('waiver', pruned);
    onPrunedWaivers(0);
    return [
      createPruneWaiversJob(context, pruneIntervalMs, onPrunedWaivers),
      createErasureJob(context, deliveryRetentionMs),
    ];
  },
};
