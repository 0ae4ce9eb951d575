const dayMs = 86_400_000;

// Ids are UUIDs version 7: they begin with the time, so a time bounds them.
function idAt(time: number): string {
  const hex = Math.min(Math.max(0, time), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Before the first id of a time, with a day of slack for clocks that differ. */
export const idBefore = (time: Date) => idAt(time.getTime() - dayMs);

/** After the last id of a time, with the same slack. */
export const idAfter = (time: Date) => idAt(time.getTime() + dayMs);

/** Less than every id: where a scan of all of them begins. */
export const beforeFirstId = '00000000-0000-0000-0000-000000000000';

/** Whether a text is a UUID; PostgreSQL rejects anything else. */
export const isUuid = (id: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id);
