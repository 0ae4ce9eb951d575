import { utcOfLocalDateTime } from '@waiver-service/plugin-kit';
import { daysAfter } from '../booking-reading/booking-days.ts';
import type { ListPeriod } from '../booking-reading/list-period.ts';

function startOf(date: string, timeZone: string): Date {
  const utc = utcOfLocalDateTime(`${date}T00:00:00`, timeZone);
  if (utc === undefined) throw new Error(`${date} is no day`);
  return new Date(utc);
}

/** From the beginning of a day in a time zone to that of the next one: 23 or 25 hours where clocks change. */
export const periodOfDay = (date: string, timeZone: string): ListPeriod => ({
  from: startOf(date, timeZone),
  until: startOf(daysAfter(date, 1), timeZone),
});
