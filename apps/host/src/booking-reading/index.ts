export type { BookingReader, BookingReading, BookingReadRequest } from './booking-reader.ts';
export { bookingRoute } from './booking-route.ts';
export { chooseOnlyBookingSystem } from './choose-booking-system.ts';
export { type BookingReaderOptions, createBookingReader } from './create-booking-reader.ts';
