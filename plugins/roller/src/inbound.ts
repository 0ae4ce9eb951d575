import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { objectOf, textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const messageSchema = z.looseObject({ id: z.unknown(), type: z.unknown(), data: z.unknown() }).partial();

// The type's name or its number: both are documented.
const bookingTypes: readonly unknown[] = ['Booking', 1, '1'];

/**
 * Parses a message of ROLLER's webhook. Only booking messages name a booking: redemptions, guests, signed waivers,
 * exports and payment links have no effect. Throws a ZodError for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { id, type, data } = messageSchema.parse(body);
  const messageId = textOf(id);
  // "Under the data object", as ROLLER says, can be read both ways.
  const { uniqueId: ownId, booking } = objectOf(data);
  const uniqueId = textOf(ownId) ?? textOf(objectOf(booking).uniqueId);
  return {
    bookingIds: bookingTypes.includes(type) && uniqueId !== undefined ? [uniqueId] : [],
    ...(messageId === undefined ? {} : { messageId }),
  };
}
