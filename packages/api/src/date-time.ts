import { zonedDateTimeSchema } from '@waiver-service/core';
import { z } from 'zod';

/** A `Date` in a response, which is UTC, ISO 8601, with milliseconds and `Z`. */
export const dateTimeSchema = z.codec(z.date(), z.iso.datetime({ precision: 3 }), {
  decode: (date) => date.toISOString(),
  encode: (text) => new Date(text),
});

/** A date-time in a request, in any time zone, limited to what both PostgreSQL and `Date` can hold. */
export const timeSchema = zonedDateTimeSchema
  .refine((time) => time >= '1900' && time < '2200', 'a date-time between the years 1900 and 2200')
  .transform((time) => new Date(time));
