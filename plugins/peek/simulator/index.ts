export { type PeekBooking, type PeekProduct, peekBooking, peekProduct } from './peek-booking.ts';
export type { PeekWebhook } from './peek-webhooks.ts';
export { type PeekOptions, type PeekRoute, type SimulatedPeek, startPeek } from './start-peek.ts';
