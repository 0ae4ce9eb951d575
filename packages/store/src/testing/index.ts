export { fetchedBooking } from './booking.ts';
export { type DatabaseSize, growDatabase, grownBookingId, grownPoolId } from './grow-database.ts';
export { openPruning, type Pruning } from './open-pruning.ts';
export { openTestStore, type TestStore, testKey } from './open-test-store.ts';
export {
  claimAll,
  claimOne,
  deliver,
  type FurnishedOutbox,
  finish,
  furnishOutbox,
  install,
  refuse,
  waiver,
} from './outbox-fixture.ts';
export { pruneRows } from './prune-rows.ts';
export { startTestServer } from './test-server.ts';
