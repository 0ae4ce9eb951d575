import type { FeatureData } from '@waiver-service/store/features';
import { createErasureJob } from './erasure-job.ts';
import { migrations } from './tables.ts';

/** Erasures, and the job that carries them out. */
export const guestData: FeatureData = {
  migrations,
  jobs: (context, settings) => [createErasureJob(context, settings.deliveryRetentionMs)],
};
