const midnight = (day: string) => new Date(`${day}T00:00:00`);

/** When a day begins in the viewer's zone. @param day - as the browser's date field has it: `2027-06-12` */
export const startOfDay = (day: string): string => midnight(day).toISOString();

/** When it ends there: 23 or 25 hours later where clocks change. */
export function endOfDay(day: string): string {
  const end = midnight(day);
  end.setHours(24, 0, 0, 0);
  return end.toISOString();
}

/** The day some days after another one. */
export function shiftDay(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + days);
  return time.toISOString().slice(0, 10);
}
