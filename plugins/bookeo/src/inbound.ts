import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { z } from 'zod';

const bookingNumber = z.union([z.string().trim().min(1), z.int().transform(String)]);
const callSchema = z.looseObject({
  itemId: bookingNumber,
  item: z.looseObject({ bookingNumber }).optional().catch(undefined),
});

/**
 * Bookeo's call when a booking is new, changed or canceled: `{itemId, timestamp, item}`. Throws a ZodError for what is
 * not such a call.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  const { itemId, item } = callSchema.parse(body);
  return { bookingIds: [item?.bookingNumber ?? itemId] };
}
