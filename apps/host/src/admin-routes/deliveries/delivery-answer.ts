import type { AttemptItem, DeliveryDetail, DeliveryItem } from '@waiver-service/store';
import { z } from 'zod';
import { type Caller, seesGuests } from '../../authentication/caller.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../../http/delivery-fields.ts';
import { hiddenMessage, redactedSchema } from '../../http/guest-data.ts';
import { ownerAnswer, ownerFields } from '../destinations/destination-answer.ts';

export const deliveryItemSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    state: deliveryStateSchema,
    pool: z.string(),
    destination: z.string(),
    ...ownerFields,
    waiverId: z.string(),
    guestName: z
      .string()
      .nullable()
      .describe('The guest’s current name; null if not answered or erased, and for a viewer.'),
    bookingId: z
      .string()
      .optional()
      .describe(
        'The id of the booking that a Guest Update is for; for other deliveries, of the waiver’s booking.',
      ),
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
        'The beginning of the response, without secrets. Present only for failed attempts; null for a viewer.',
      ),
    warnings: warningsSchema
      .optional()
      .describe('Warnings about parts of the waiver that the booking system did not write; at most 50.'),
    trigger: z.string(),
  })
  .meta({ id: 'Attempt' });

export const deliveryDetailSchema = deliveryItemSchema
  .extend({
    body: z
      .unknown()
      .describe('The body as sent or to be sent, created when the waiver changed; null for a viewer.'),
    redacted: redactedSchema,
    nextAttemptAt: dateTimeSchema
      .optional()
      .describe(
        'When the next attempt is due, if the delivery is pending. Earlier messages of the same lane may delay the attempt.',
      ),
    reason: z
      .string()
      .optional()
      .describe('Why the delivery was cancelled, if the booking system cannot store any part of the waiver.'),
    warnings: warningsSchema.describe('The warnings of the last attempt about fields that were not written.'),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'DeliveryDetail' });

export function deliveryItem(
  delivery: DeliveryItem,
  caller: Caller | null,
): z.input<typeof deliveryItemSchema> {
  const { id, kind, state, pool, destination, waiverId, guestName, bookingId, version, createdAt } = delivery;
  return {
    ...{ id, kind, state, pool, destination, ...ownerAnswer(delivery), waiverId, version, createdAt },
    guestName: seesGuests(caller) ? guestName : null,
    bookingId: bookingId ?? undefined,
  };
}

function warningsOf(warnings: DeliveryDetail['warnings'], withGuests: boolean) {
  return warnings.map((warning) => (withGuests ? { ...warning } : { ...warning, message: hiddenMessage }));
}

function attemptAnswer(
  { warnings, response, ...attempt }: AttemptItem,
  withGuests: boolean,
): z.input<typeof attemptSchema> {
  return {
    ...attempt,
    response: withGuests || response === undefined ? response : null,
    warnings: warnings && warningsOf(warnings, withGuests),
  };
}

/** A delivery with its body and attempts; without guest data if the caller may not see it. */
export function deliveryDetail(
  delivery: DeliveryDetail,
  caller: Caller | null,
): z.input<typeof deliveryDetailSchema> {
  const withGuests = seesGuests(caller);
  return {
    ...deliveryItem(delivery, caller),
    ...(withGuests ? { body: JSON.parse(delivery.body) } : { body: null, redacted: true as const }),
    nextAttemptAt: delivery.nextAttemptAt ?? undefined,
    reason: withGuests || delivery.reason === null ? (delivery.reason ?? undefined) : hiddenMessage,
    warnings: warningsOf(delivery.warnings, withGuests),
    attempts: delivery.attempts.map((attempt) => attemptAnswer(attempt, withGuests)),
  };
}
