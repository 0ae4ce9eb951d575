export { type SimulatedZaui, startZaui, type ZauiOptions, type ZauiRoute } from './start-zaui.ts';
export { type ZauiBooking, type ZauiProduct, zauiBooking, zauiProduct } from './zaui-booking.ts';
