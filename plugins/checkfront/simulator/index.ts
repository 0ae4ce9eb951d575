export {
  type CheckfrontNote,
  type CheckfrontRoute,
  criticalError,
} from './answer-checkfront.ts';
export {
  type CheckfrontBooking,
  type CheckfrontGuest,
  type CheckfrontItem,
  checkfrontBooking,
} from './checkfront-booking.ts';
export {
  type CheckfrontOptions,
  type SimulatedCheckfront,
  startCheckfront,
} from './start-checkfront.ts';
export type { CheckfrontWebhookFormat } from './webhook-formats.ts';
