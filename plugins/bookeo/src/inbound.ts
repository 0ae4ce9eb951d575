import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { isJsonObject, textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const callSchema = z.looseObject({ itemId: z.unknown(), item: z.unknown() }).partial();

/**
 * Bookeo's call when something is new, changed or deleted: `{itemId, timestamp, item}`. An item with a booking number is a
 * booking; another one is a customer, a payment or a block of seats, which names none. Of a call without its item only
 * digits can be a booking's. Throws a ZodError for what is no object.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  const { itemId, item } = callSchema.parse(body);
  const id = isJsonObject(item) ? textOf(item.bookingNumber) : textOf(itemId);
  const isBooking = id !== undefined && (isJsonObject(item) || /^\d+$/.test(id));
  return { bookingIds: isBooking ? [id] : [] };
}
