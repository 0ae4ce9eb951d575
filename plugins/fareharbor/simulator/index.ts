export type { FareHarborKeys, FareHarborRoute } from './answer-fareharbor.ts';
export { type FareHarborBooking, fareHarborBooking } from './fareharbor-booking.ts';
export {
  type FareHarborOptions,
  type SimulatedFareHarbor,
  startFareHarbor,
} from './start-fareharbor.ts';
