import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { objectOf, textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const messageSchema = z.looseObject({ type: z.unknown(), data: z.unknown() }).partial();

// The name or the number of the type: both are documented.
const bookingTypes: readonly unknown[] = ['Booking', 1, '1'];

/**
 * Parses a message of ROLLER's webhook. Only those about a booking name one: redemptions, guests, signed waivers, exports
 * and payment links have no effect. Throws a ZodError for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { type, data } = messageSchema.parse(body);
  const { uniqueId } = objectOf(data);
  const id = textOf(uniqueId);
  return { bookingIds: bookingTypes.includes(type) && id !== undefined ? [id] : [] };
}
