import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const callSchema = z.looseObject({ eventName: z.string().catch(''), data: z.looseObject({}).catch({}) });

/**
 * Xola's call about an event: `{eventName, data}`, where `data` of an `order.…` is the order. Others, such as
 * `installation.create`, name no booking. Throws a ZodError for what is no object.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  const { eventName, data } = callSchema.parse(body);
  const id = textOf(data.id);
  return { bookingIds: eventName.startsWith('order.') && id !== undefined ? [id] : [] };
}
