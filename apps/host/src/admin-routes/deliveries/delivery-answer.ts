import type { DeliveryDetail, DeliveryItem } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';

/** What a delivery may be. */
export const deliveryKinds = ['guest-update', 'guest-webhook'] as const;

/** How far a delivery may have come. */
export const deliveryStates = [
  'waiting',
  'sending',
  'delivered',
  'dead',
  'held',
  'superseded',
  'cancelled',
] as const;

/** One delivery in the list. */
export const deliveryItemSchema = z.object({
  id: z.string(),
  kind: z.enum(deliveryKinds),
  state: z.enum(deliveryStates),
  pool: z.string(),
  destination: z.string(),
  waiverId: z.string(),
  version: z.int(),
  createdAt: dateTimeSchema,
});

const attemptSchema = z.object({
  at: dateTimeSchema,
  durationMs: z.int(),
  outcome: z.string(),
  status: z.int().optional(),
  errorCode: z.string().optional(),
  response: z.string().optional().describe('The beginning of the answer, secrets removed.'),
  trigger: z.string(),
});

/** One delivery with its body and its tries. */
export const deliveryDetailSchema = deliveryItemSchema.extend({
  bookingId: z.string().optional(),
  body: z.unknown().describe('What is sent, as it was fixed when the waiver changed.'),
  attempts: z.array(attemptSchema),
});

/** A delivery of the store as the list shows it. */
export function deliveryItem(delivery: DeliveryItem): z.infer<typeof deliveryItemSchema> {
  const { id, kind, state, pool, destination, waiverId, version, createdAt } = delivery;
  return { id, kind, state, pool, destination, waiverId, version, createdAt: toDateTime(createdAt) };
}

/** A delivery of the store with its body and its tries. */
export function deliveryDetail(delivery: DeliveryDetail): z.infer<typeof deliveryDetailSchema> {
  return {
    ...deliveryItem(delivery),
    ...(delivery.bookingId === null ? {} : { bookingId: delivery.bookingId }),
    body: JSON.parse(delivery.body),
    attempts: delivery.attempts.map(({ at, durationMs, outcome, status, errorCode, response, trigger }) => ({
      at: toDateTime(at),
      durationMs,
      outcome,
      ...(status === undefined ? {} : { status }),
      ...(errorCode === undefined ? {} : { errorCode }),
      ...(response === undefined ? {} : { response }),
      trigger,
    })),
  };
}
