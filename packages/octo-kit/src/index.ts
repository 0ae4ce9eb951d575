export { judgeAnswer } from './answers.ts';
export { fetchBooking } from './fetch-booking.ts';
export { checkAccess, listBookings } from './list-bookings.ts';
export { statusMap } from './native/status.ts';
export { pushWaiver, type WriteSettings } from './writing/push-waiver.ts';
