export { type RezdyBooking, type RezdyItem, rezdyBooking } from './rezdy-booking.ts';
export {
  type RezdyOptions,
  type RezdyRoute,
  type SimulatedRezdy,
  startRezdy,
} from './start-rezdy.ts';
