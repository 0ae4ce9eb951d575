export type { BookingReader, BookingReading, BookingReadRequest } from './booking-reader.ts';
export { bookingRoute } from './booking-route.ts';
export { chooseBookingSystem } from './choose-booking-system.ts';
export { type BookingReaderOptions, createBookingReader } from './create-booking-reader.ts';
export { type FailingSource, ReadHeldBack } from './read-breaker.ts';
