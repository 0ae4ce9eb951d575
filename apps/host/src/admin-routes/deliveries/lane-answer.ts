import { type DeliveryLane, type LaneSide, maxCounted } from '@waiver-service/store';
import { z } from 'zod';
import type { Caller } from '../../authentication/caller.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import { deliveryItem, deliveryItemSchema } from './delivery-answer.ts';

const laneItemSchema = deliveryItemSchema.extend({ nextAttemptAt: dateTimeSchema }).meta({ id: 'LaneItem' });

const sideSchema = z
  .object({
    count: z
      .int()
      .describe(`The number of waiting deliveries on this side; counting stops at ${maxCounted}.`),
    items: z
      .array(laneItemSchema)
      .describe('The nearest deliveries, at most ten, in the order in which they are sent.'),
  })
  .meta({ id: 'LaneSide' });

export const laneSchema = z
  .object({
    orderedBy: z.enum(['waiver', 'booking']),
    key: z.string().describe('The id of the waiver or booking whose messages are sent in order.'),
    waiting: z.boolean().describe('Whether the delivery itself is still waiting.'),
    before: sideSchema,
    after: sideSchema,
  })
  .meta({ id: 'Lane' });

const sideAnswer = ({ count, items }: LaneSide, caller: Caller | null): z.input<typeof sideSchema> => ({
  count,
  items: items.map((item) => ({ ...deliveryItem(item, caller), nextAttemptAt: item.nextAttemptAt })),
});

export function laneAnswer(
  { orderedBy, key, isWaiting, before, after }: DeliveryLane,
  caller: Caller | null,
): z.input<typeof laneSchema> {
  return {
    orderedBy,
    key,
    waiting: isWaiting,
    before: sideAnswer(before, caller),
    after: sideAnswer(after, caller),
  };
}
