export {
  type ChangesState,
  type ObservedChanges,
  observeBookingChanges,
} from './booking-changes.ts';
export { type DatabaseSize, growDatabase, grownBookingId, grownPoolId } from './grow-database.ts';
export { lockAlerts, lockAttempts, lockSessions, type TableLock } from './lock-table.ts';
export { openPruning, type Pruning } from './open-pruning.ts';
export { beginOutage, endOutage } from './outages.ts';
export { createEmptyDatabase, createTestDatabase, type TestDatabase } from './test-database.ts';
export { startTestServer } from './test-server.ts';
export { untilShardsShared } from './until-shards-shared.ts';
export { openWaitingLanes, type WaitingLanes } from './waiting-lanes.ts';
