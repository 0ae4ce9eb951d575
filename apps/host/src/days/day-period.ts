import { utcOfLocalDateTime } from '@waiver-service/plugin-kit';
import type { ListPeriod } from '../booking-reading/list-period.ts';

const hourMs = 3_600_000;

function startOf(date: string, timeZone: string): Date {
  const utc = utcOfLocalDateTime(`${date}T00:00:00`, timeZone);
  if (utc === undefined) throw new Error(`${date} is no day`);
  return new Date(utc);
}

/** The day after, both `YYYY-MM-DD`. */
export function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * hourMs).toISOString().slice(0, 10);
}

/** From the beginning of a day in a time zone to that of the next one: 23 or 25 hours where clocks change. */
export const periodOfDay = (date: string, timeZone: string): ListPeriod => ({
  from: startOf(date, timeZone),
  until: startOf(dayAfter(date), timeZone),
});
