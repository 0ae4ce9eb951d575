import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { z } from 'zod';

const uuid = z.string().trim().min(1);
const bookingCall = z.object({
  booking: z.looseObject({ uuid, rebooked_from: uuid.nullish().catch(undefined) }),
});
// Calls about a company's catalogue, where it asked for them.
const itemCall = z.object({ item: z.looseObject({}) }).or(z.object({ items: z.array(z.unknown()) }));

/**
 * FareHarbor's call on any change of a booking: the booking itself. Where it took another one's place, that one is
 * read anew too, since waivers name it. Throws for what is not such a call.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  if (itemCall.safeParse(body).success) return { bookingIds: [] };
  const { booking } = bookingCall.parse(body);
  return { bookingIds: [booking.uuid, booking.rebooked_from].filter((id) => typeof id === 'string') };
}
