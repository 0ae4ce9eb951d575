import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { isJsonObject, textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const callSchema = z.looseObject({ itemId: z.unknown(), item: z.unknown() }).partial();

/**
 * Parses Bookeo's webhook: `{itemId, timestamp, item}`. An item with a `bookingNumber` is a booking; any other is a
 * customer, a payment or a block of seats. Without an item, only an `itemId` of digits can be a booking. Throws a ZodError
 * for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { itemId, item } = callSchema.parse(body);
  const id = isJsonObject(item) ? textOf(item.bookingNumber) : textOf(itemId);
  const isBooking = id !== undefined && (isJsonObject(item) || /^\d+$/.test(id));
  return { bookingIds: isBooking ? [id] : [] };
}
