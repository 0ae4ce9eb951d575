export { type HeldRecords, holdRecords } from './held-records.ts';
export { type BareWaiverUpdates, openBareWaiverUpdates } from './measuring/bare-waiver-updates.ts';
export { describeServer, gatherStatistics } from './measuring/connection.ts';
export { createEmptyDatabase } from './measuring/empty-database.ts';
export { openWaitingLanes, type WaitingLanes } from './measuring/waiting-lanes.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
export { startTestServer } from './test-server.ts';
