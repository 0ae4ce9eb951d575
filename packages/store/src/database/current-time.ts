import { sql } from 'kysely';

/** The database's own clock, which all hosts share, in milliseconds: `timestamptz` holds microseconds, `Date` does not. */
export const currentTime = sql<Date>`date_trunc('milliseconds', now())`;
