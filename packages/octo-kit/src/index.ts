export { judgeAnswer } from './answers.ts';
export { fetchBooking } from './fetch-booking.ts';
export { parseInbound } from './inbound.ts';
export { checkAccess, listBookings } from './list-bookings.ts';
export { statusMap } from './native/status.ts';
export { webhooks } from './webhooks.ts';
export { pushWaiver, type WriteSettings } from './writing/push-waiver.ts';
