import type { AttemptItem, DeliveryDetail, DeliveryItem } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../../http/delivery-fields.ts';

/** One delivery in the list. */
export const deliveryItemSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    state: deliveryStateSchema,
    pool: z.string(),
    destination: z.string(),
    waiverId: z.string(),
    version: z.int(),
    createdAt: dateTimeSchema,
  })
  .meta({ id: 'Delivery' });

const warningsSchema = z.array(
  z
    .object({
      code: z.string(),
      path: z.string().optional(),
      message: z.string(),
    })
    .meta({ id: 'DeliveryWarning' }),
);

const attemptSchema = z
  .object({
    at: dateTimeSchema,
    durationMs: z.int(),
    outcome: z.string(),
    status: z.int().optional(),
    errorCode: z.string().optional(),
    response: z
      .string()
      .optional()
      .describe('The beginning of the answer, secrets removed. Only of an attempt that failed.'),
    warnings: warningsSchema
      .optional()
      .describe('What of it the booking system has not written: 50 at most.'),
    trigger: z.string(),
  })
  .meta({ id: 'Attempt' });

/** One delivery with its body and its attempts. */
export const deliveryDetailSchema = deliveryItemSchema
  .extend({
    bookingId: z.string().optional(),
    body: z.unknown().describe('What is sent, as it was fixed when the waiver changed.'),
    reason: z
      .string()
      .optional()
      .describe('Why it was cancelled, where the booking system has no place for anything of the waiver.'),
    warnings: warningsSchema.describe('Those of its last attempt: what of it was not written.'),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'DeliveryDetail' });

/** A delivery of the store as the list shows it. */
export function deliveryItem(delivery: DeliveryItem): z.infer<typeof deliveryItemSchema> {
  const { id, kind, state, pool, destination, waiverId, version, createdAt } = delivery;
  return { id, kind, state, pool, destination, waiverId, version, createdAt: toDateTime(createdAt) };
}

const warningsOf = (warnings: DeliveryDetail['warnings']) => warnings.map((warning) => ({ ...warning }));

function attemptAnswer({ at, warnings, ...attempt }: AttemptItem): z.infer<typeof attemptSchema> {
  return {
    at: toDateTime(at),
    ...attempt,
    ...(warnings === undefined ? {} : { warnings: warningsOf(warnings) }),
  };
}

/** A delivery of the store with its body and its attempts. */
export function deliveryDetail(delivery: DeliveryDetail): z.infer<typeof deliveryDetailSchema> {
  return {
    ...deliveryItem(delivery),
    ...(delivery.bookingId === null ? {} : { bookingId: delivery.bookingId }),
    body: JSON.parse(delivery.body),
    ...(delivery.reason === null ? {} : { reason: delivery.reason }),
    warnings: warningsOf(delivery.warnings),
    attempts: delivery.attempts.map(attemptAnswer),
  };
}
