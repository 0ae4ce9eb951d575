export { type OctoBooking, type OctoProduct, octoBooking } from './octo-booking.ts';
export {
  type OctoOptions,
  type OctoRoute,
  type SimulatedOcto,
  startOcto,
} from './start-octo.ts';
