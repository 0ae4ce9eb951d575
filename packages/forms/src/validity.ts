import type { FormContent } from './content.ts';
import { dayOf, isDay, type SigningDay } from './day.ts';

function nextDayOfYear(dayOfYear: string, date: string): string {
  const year = Number(date.slice(0, 4)) + (dayOfYear < date.slice(5) ? 1 : 0);
  const day = `${String(year).padStart(4, '0')}-${dayOfYear}`;
  return isDay(day) ? day : day.replace('-02-29', '-02-28');
}

/** The last day, `YYYY-MM-DD`, on which a signing for this day is valid. */
export function validUntil({ validity }: Pick<FormContent, 'validity'>, { date }: SigningDay): string {
  if ('visit' in validity) return date;
  if ('until' in validity) return nextDayOfYear(validity.until, date);
  const time = new Date(`${date}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + validity.days);
  return dayOf(time);
}
