import { type InboundCall, type InboundNotice, InvalidBookingResponse } from '@waiver-service/core';
import { objectOf } from '@waiver-service/plugin-kit';

/** Reads a call of Ventrata's `octo/webhooks`. An event that is not about a booking names none. Throws for other calls. */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { webhook, booking } = objectOf(body);
  const { uuid } = objectOf(booking);
  if (typeof uuid === 'string') return { bookingIds: [uuid] };
  const { event } = objectOf(webhook);
  if (typeof event === 'string' && !event.startsWith('booking')) return { bookingIds: [] };
  throw new InvalidBookingResponse('the call has no booking.uuid: it is not one of octo/webhooks');
}
