import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const callSchema = z.looseObject({ eventName: z.string().catch(''), data: z.looseObject({}).catch({}) });

/**
 * Parses Xola's webhook: `{eventName, data}`, where `data` of an `order.…` event is the order. Other events, such as
 * `installation.create`, name no booking. Throws a ZodError for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { eventName, data } = callSchema.parse(body);
  const id = textOf(data.id);
  return { bookingIds: eventName.startsWith('order.') && id !== undefined ? [id] : [] };
}
