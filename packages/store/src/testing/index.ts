export { type DatabaseSize, growDatabase, grownBookingId, grownPoolId } from './grow-database.ts';
export { openPruning, type Pruning } from './open-pruning.ts';
export { openTestStore, type TestStore, testKey } from './open-test-store.ts';
export { pruneRows } from './prune-rows.ts';
export { startTestServer } from './test-server.ts';
export { untilShardsShared } from './until-shards-shared.ts';
export { openWaitingLanes, type WaitingLanes } from './waiting-lanes.ts';
