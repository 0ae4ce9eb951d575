const earliest = Date.UTC(1900, 0);
const end = Date.UTC(2200, 0);

/** Whether a time, in milliseconds, lies in the years 1900 to 2199, which both `Date` and PostgreSQL can hold. */
export const isInTimeRange = (time: number): boolean => time >= earliest && time < end;
