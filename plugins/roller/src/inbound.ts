import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { objectOf, textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const messageSchema = z.looseObject({ id: z.unknown(), type: z.unknown(), data: z.unknown() }).partial();

// The name or the number of the type: both are documented.
const bookingTypes: readonly unknown[] = ['Booking', 1, '1'];

/**
 * Parses a message of ROLLER's webhook. Only those about a booking name one: redemptions, guests, signed waivers, exports
 * and payment links have no effect. A message has its own id. Throws a ZodError for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { id, type, data } = messageSchema.parse(body);
  const messageId = textOf(id);
  const uniqueId = textOf(objectOf(data).uniqueId);
  return {
    bookingIds: bookingTypes.includes(type) && uniqueId !== undefined ? [uniqueId] : [],
    ...(messageId === undefined ? {} : { messageId }),
  };
}
