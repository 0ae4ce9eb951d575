import { z } from 'zod';

/** A date-time as the HTTP API answers it: UTC, ISO 8601, with milliseconds and `Z`. */
export const dateTimeSchema = z.iso.datetime({ precision: 3 });

/** A `Date` as the HTTP API answers it. */
export const toDateTime = (time: Date): string => time.toISOString();
