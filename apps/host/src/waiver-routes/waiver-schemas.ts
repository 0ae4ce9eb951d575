import {
  bookingGuestIdSchema,
  bookingIdSchema,
  maxActivities,
  poolIdSchema,
  waiverIdSchema,
} from '@waiver-service/core';
import type { WaiverChange } from '@waiver-service/waivers';
import { z } from 'zod';
import { timeSchema } from '../http/date-time.ts';
import { changedAnswersSchema, newAnswersSchema } from './answers-schema.ts';

const fields = {
  bookingSystem: z.string().nullish().describe('Install name; the pool’s default booking system if omitted.'),
  bookingId: bookingIdSchema.nullish(),
  bookingGuestId: bookingGuestIdSchema.nullish().describe('The guest’s id as in the booking.'),
  activities: z
    .array(z.string().min(1).max(256))
    .max(maxActivities)
    .optional()
    .describe('Activity ids of the sessions the guest checks in to.'),
  lastVisit: timeSchema
    .nullish()
    .describe('Date-time of the guest’s activities; if omitted, the start of the earliest booked session.'),
  currentPage: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe('Current step of a multi-step waiver; null once the waiver is finished.'),
} satisfies { [Field in Exclude<keyof WaiverChange, 'answers' | 'validUntil' | 'reuseOf'>]-?: z.ZodType };

export const newWaiverSchema = z.strictObject({
  id: waiverIdSchema.optional().describe('Unique across all pools; a UUIDv7 if omitted.'),
  ...fields,
  answers: newAnswersSchema,
});

/** The body of a change to a waiver: omitted fields are kept, null removes a value. */
export const changedWaiverSchema = z.strictObject({ ...fields, answers: changedAnswersSchema.optional() });

export const poolParamsSchema = z.object({ pool: poolIdSchema });

export const waiverParamsSchema = poolParamsSchema.extend({ id: waiverIdSchema });

export type ChangedWaiverBody = z.infer<typeof changedWaiverSchema>;
