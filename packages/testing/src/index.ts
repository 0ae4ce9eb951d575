export {
  type CheckInHost,
  makeLink,
  type PublishedExample,
  prepareCheckIn,
  prepareInstalled,
  publishForm,
} from './check-in-host.ts';
export { includesStatus } from './documented-statuses.ts';
export { embeddedFile } from './embedded-file.ts';
export {
  type Answer,
  accountKey,
  adminToken,
  type CallOptions,
  call,
  callsOf,
  malformed,
  problem,
  startSystemFor,
  type TestCaller,
  textAt,
} from './host-calls.ts';

export { listenLocally } from './listen-locally.ts';
export { inForm, isLong, longTest, report } from './long-form.ts';
export { type DocumentedOperation, documentedOperations, filledPath } from './operations.ts';
export { beginOutage } from './outages.ts';
export { type RawAnswer, rawCall } from './raw-call.ts';
export { openRawConnection, type RawConnection, takeAllConnections } from './raw-postgres.ts';
export { seededRandom } from './seeded-random.ts';
export {
  startTestHost,
  type TestHost,
  type TestHostOptions,
} from './start-test-host.ts';
export { until } from './until.ts';
export { tokenOf } from './without-features.ts';
