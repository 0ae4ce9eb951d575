import { zonedDateTimeSchema } from '@waiver-service/core';
import { z } from 'zod';

/** A date-time as the HTTP API answers it: UTC, ISO 8601, with milliseconds and `Z`. */
export const dateTimeSchema = z.iso.datetime({ precision: 3 });

/** A `Date` as the HTTP API answers it. */
export const toDateTime = (time: Date): string => time.toISOString();

/** A date-time that the HTTP API is given, with any time zone; within what a database and a `Date` both hold. */
export const timeSchema = zonedDateTimeSchema
  .refine((time) => time >= '1900' && time < '2200', 'a date-time between the years 1900 and 2200')
  .transform((time) => new Date(time));
