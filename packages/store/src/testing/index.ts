export { type DatabaseSize, growDatabase, grownBookingId, grownPoolId } from './grow-database.ts';
export { openPruning, type Pruning } from './open-pruning.ts';
export { startTestServer } from './test-server.ts';
export { untilShardsShared } from './until-shards-shared.ts';
export { openWaitingLanes, type WaitingLanes } from './waiting-lanes.ts';
