import type { FormContent, SigningDay } from './content.ts';

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!dayPattern.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  // `Date` turns 30 February into 1 March.
  return !Number.isNaN(time.getTime()) && dayOf(time) === text;
}

/**
 * The age in whole years on a day; both are `YYYY-MM-DD`. A person born on 29 February turns a year older on 1 March in
 * common years. Negative before birth.
 */
export function ageOn(dateOfBirth: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return date.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

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
