import { type DeliveryLane, type LaneSide, maxCounted } from '@waiver-service/store';
import { z } from 'zod';
import type { Caller } from '../../authentication/caller.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import { deliveryItem, deliveryItemSchema } from './delivery-answer.ts';

const laneItemSchema = deliveryItemSchema.extend({ nextAttemptAt: dateTimeSchema }).meta({ id: 'LaneItem' });

const sideSchema = z
  .object({
    count: z.int().describe(`At most ${maxCounted} are counted.`),
    items: z.array(laneItemSchema).describe('The nearest ten, in the order in which they are sent.'),
  })
  .meta({ id: 'LaneSide' });

export const laneSchema = z
  .object({
    orderedBy: z.enum(['waiver', 'booking']),
    key: z.string().describe('The id of the waiver or of the booking.'),
    waiting: z.boolean().describe('Whether the delivery waits itself.'),
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
