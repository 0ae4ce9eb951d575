import { type InboundCall, type InboundNotice, InvalidBookingResponse } from '@waiver-service/core';
import { objectOf, textOf } from '@waiver-service/plugin-kit';

/** Reads a call of Rezdy's order webhooks, whose body is the booking. Throws where it is another one. */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const call = objectOf(body);
  const orderNumber = textOf(call.orderNumber) ?? textOf(objectOf(call.booking).orderNumber);
  if (orderNumber !== undefined) return { bookingIds: [orderNumber] };
  throw new InvalidBookingResponse('the call has no orderNumber: it is not one of Rezdy’s order webhooks');
}
