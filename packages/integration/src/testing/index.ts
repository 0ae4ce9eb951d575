// For tests of a whole host.

export {
  maxFailingReads,
  maxReads,
  maxReadsPerInstallation,
  refreshShares,
} from '../calls/booking-refresh.ts';
export { changesRetryMs, pollWaitMs } from '../calls/change-polling.ts';
export { wrongKeysPerMinute } from '../calls/install-key.ts';
export { checkPlugin } from '../plugins/load-plugins.ts';
export { explainRead } from '../reading/explained-read.ts';
