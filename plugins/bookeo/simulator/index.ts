export type { BookeoKeys, BookeoRoute } from './answer-bookeo.ts';
export {
  type BookeoBooking,
  type BookeoCustomer,
  type BookeoCustomField,
  type BookeoParticipant,
  type BookeoPerson,
  bookeoBooking,
  bookeoCustomer,
} from './bookeo-booking.ts';
export type { BookeoWebhook, BookeoWebhooks } from './bookeo-webhooks.ts';
export { type BookeoOptions, type SimulatedBookeo, startBookeo } from './start-bookeo.ts';
