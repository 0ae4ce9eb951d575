export {
  type ChangesState,
  type ObservedChanges,
  observeBookingChanges,
} from './booking-changes.ts';
export { lockAttempts, lockSessions, type TableLock } from './lock-table.ts';
export { createEmptyDatabase, createTestDatabase, type TestDatabase } from './test-database.ts';
export { startTestServer } from './test-server.ts';
export { untilShardsShared } from './until-shards-shared.ts';
export { openWaitingLanes, type WaitingLanes } from './waiting-lanes.ts';
