/** The end of a day in the viewer's zone. @param day - as the browser's date field has it: `2027-06-12` */
export function endOfDay(day: string): string {
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}
