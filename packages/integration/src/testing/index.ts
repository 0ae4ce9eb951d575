// For tests of a whole host.
export { changesRetryMs, pollWaitMs } from '../calls/change-polling.ts';
export { wrongKeysPerMinute } from '../calls/install-key.ts';
export {
  maxFailingReads,
  maxReads,
  maxReadsPerInstallation,
  refreshShares,
} from '../calls/refresh-shares.ts';
export { checkPlugin } from '../plugins/check-plugin.ts';
export { explainRead } from '../reading/explained-read.ts';
