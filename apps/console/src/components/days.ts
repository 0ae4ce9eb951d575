const midnight = (day: string) => new Date(`${day}T00:00:00`);

/** The start of a day in the viewer's time zone. @param day - a date field's value: `2027-06-12` */
export const startOfDay = (day: string): string => midnight(day).toISOString();

/** Its end there: 23 or 25 hours later when clocks change. */
export function endOfDay(day: string): string {
  const end = midnight(day);
  end.setHours(24, 0, 0, 0);
  return end.toISOString();
}

export function shiftDay(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + days);
  return time.toISOString().slice(0, 10);
}
