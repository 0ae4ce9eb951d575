/** The local day of the activity. */
export interface SigningDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly activities: readonly string[];
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
/** The day of a time in UTC, `YYYY-MM-DD`. */
export const dayOf = (time: Date) => time.toISOString().slice(0, 10);

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
