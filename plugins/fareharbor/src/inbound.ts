import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { z } from 'zod';

const uuid = z.string().trim().min(1);
const bookingCall = z.object({
  booking: z.looseObject({ uuid, rebooked_from: uuid.nullish().catch(undefined) }),
});
// Calls about items and crew members, where a company asked for them, and whatever else names no booking.
const otherCall = z.looseObject({ booking: z.undefined().optional() });

/**
 * FareHarbor's call on any change of a booking: the booking itself. Where it took another one's place, that one is
 * read anew too, since waivers name it. A call about anything else names none. Throws for what is no call at all.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  if (otherCall.safeParse(body).success) return { bookingIds: [] };
  const { booking } = bookingCall.parse(body);
  return { bookingIds: [booking.uuid, booking.rebooked_from].filter((id) => typeof id === 'string') };
}
