// For measurements.
export { openWaiverPruning, type WaiverPruning } from './open-waiver-pruning.ts';
