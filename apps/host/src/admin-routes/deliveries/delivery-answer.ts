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
      .describe('The beginning of the response, without secrets. Only for failed attempts.'),
    warnings: warningsSchema
      .optional()
      .describe('The parts of the waiver that the booking system did not write; at most 50.'),
    trigger: z.string(),
  })
  .meta({ id: 'Attempt' });

/** One delivery with its body and attempts. */
export const deliveryDetailSchema = deliveryItemSchema
  .extend({
    bookingId: z.string().optional(),
    body: z.unknown().describe('The body as it is or was sent, created when the waiver changed.'),
    reason: z
      .string()
      .optional()
      .describe('Why it was cancelled, if the booking system has no place for any part of the waiver.'),
    warnings: warningsSchema.describe('The warnings of the last attempt: what was not written.'),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'DeliveryDetail' });

/** A delivery as a list item. */
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

/** A delivery with its body and attempts. */
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
