import type { laneSchema, laneSideSchema } from '@waiver-service/api';
import type { DeliveryLane, LaneSide } from '@waiver-service/store';
import type { z } from 'zod';
import type { Caller } from '../../authentication/caller.ts';
import { deliveryItem } from './delivery-answer.ts';

const sideAnswer = ({ count, items }: LaneSide, caller: Caller | null): z.input<typeof laneSideSchema> => ({
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
