import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { z } from 'zod';

const uuid = z.string().trim().min(1);
const bookingCall = z.object({
  booking: z.looseObject({ uuid, rebooked_from: uuid.nullish().catch(undefined) }),
});
// Calls about items, crew members and anything else without a booking.
const otherCall = z.looseObject({ booking: z.undefined().optional() });

/**
 * Parses FareHarbor's webhook, which contains the changed booking. If the booking replaced another one, both are
 * reported, since waivers may refer to the old one. Throws for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  if (otherCall.safeParse(body).success) return { bookingIds: [] };
  const { booking } = bookingCall.parse(body);
  return { bookingIds: [booking.uuid, booking.rebooked_from].filter((id) => typeof id === 'string') };
}
