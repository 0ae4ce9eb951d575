export type { Day, DayBooking } from './day.ts';
export { dayBoardModule } from './day-routes.ts';
export { DayRefresh } from './refresh-day.ts';
