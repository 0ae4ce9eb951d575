import type { AttemptItem, DeliveryDetail, DeliveryItem } from '@waiver-service/store';
import { z } from 'zod';
import { type Caller, seesGuests } from '../../authentication/caller.ts';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../../http/delivery-fields.ts';
import { hiddenMessage, redactedSchema } from '../../http/guest-data.ts';
import { ownerAnswer, ownerFields } from '../destinations/destination-answer.ts';

/** One delivery in the list. */
export const deliveryItemSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    state: deliveryStateSchema,
    pool: z.string(),
    destination: z.string(),
    ...ownerFields,
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
      .nullish()
      .describe(
        'The beginning of the response, without secrets. Only for failed attempts; null for a viewer.',
      ),
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
    body: z
      .unknown()
      .describe('The body as it is or was sent, created when the waiver changed; null for a viewer.'),
    redacted: redactedSchema,
    nextAttemptAt: dateTimeSchema
      .optional()
      .describe('When it is due, if it waits. What is before it in its lane may put it off.'),
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
  return {
    id,
    kind,
    state,
    pool,
    destination,
    ...ownerAnswer(delivery),
    waiverId,
    version,
    createdAt: toDateTime(createdAt),
  };
}

function warningsOf(warnings: DeliveryDetail['warnings'], withGuests: boolean) {
  return warnings.map((warning) => (withGuests ? { ...warning } : { ...warning, message: hiddenMessage }));
}

function attemptAnswer(
  { at, warnings, response, ...attempt }: AttemptItem,
  withGuests: boolean,
): z.infer<typeof attemptSchema> {
  return {
    at: toDateTime(at),
    ...attempt,
    ...(response === undefined ? {} : { response: withGuests ? response : null }),
    ...(warnings === undefined ? {} : { warnings: warningsOf(warnings, withGuests) }),
  };
}

/** A delivery with its body and attempts; without what may be about the guest if the caller may not see it. */
export function deliveryDetail(
  delivery: DeliveryDetail,
  caller: Caller | null,
): z.infer<typeof deliveryDetailSchema> {
  const withGuests = seesGuests(caller);
  return {
    ...deliveryItem(delivery),
    ...(delivery.bookingId === null ? {} : { bookingId: delivery.bookingId }),
    ...(withGuests ? { body: JSON.parse(delivery.body) } : { body: null, redacted: true as const }),
    ...(delivery.nextAttemptAt === null ? {} : { nextAttemptAt: toDateTime(delivery.nextAttemptAt) }),
    ...(delivery.reason === null ? {} : { reason: withGuests ? delivery.reason : hiddenMessage }),
    warnings: warningsOf(delivery.warnings, withGuests),
    attempts: delivery.attempts.map((attempt) => attemptAnswer(attempt, withGuests)),
  };
}
