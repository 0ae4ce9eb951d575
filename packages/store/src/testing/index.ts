export { type DatabaseSize, growDatabase, grownBookingId, grownPoolId } from './grow-database.ts';
export { openTestStore, startTestServer, type TestStore, testKey } from './open-test-store.ts';
export {
  claimAll,
  claimOne,
  deliver,
  type FurnishedOutbox,
  fetchedBooking,
  finish,
  furnishOutbox,
  install,
  refuse,
  waiver,
} from './outbox-fixture.ts';
export { openPruning, type Pruning, pruneRows } from './pruning.ts';
