export {
  type BokunActivity,
  type BokunBooking,
  type BokunPerson,
  bokunBooking,
} from './bokun-booking.ts';
export type { BokunKeys } from './is-signed.ts';
export {
  type BokunOptions,
  type BokunRoute,
  type SimulatedBokun,
  startBokun,
} from './start-bokun.ts';
export { type BokunTopic, signedHeaders } from './webhooks.ts';
