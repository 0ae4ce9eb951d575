import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { z } from 'zod';

const callSchema = z.looseObject({ eventName: z.string(), data: z.unknown() });
const orderSchema = z.looseObject({ id: z.string().trim().min(1) });

/**
 * Xola's call about an event: `{eventName, data}`, where `data` of an `order.…` is the order. Others, such as
 * `installation.create`, say nothing of a booking. Throws a ZodError for what is not such a call.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  const { eventName, data } = callSchema.parse(body);
  return { bookingIds: eventName.startsWith('order.') ? [orderSchema.parse(data).id] : [] };
}
