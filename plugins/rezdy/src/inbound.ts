import { type InboundCall, type InboundNotice, InvalidBookingResponse } from '@waiver-service/core';
import { isJsonObject, kindOf, objectOf, textOf } from '@waiver-service/plugin-kit';

/** Parses a call of Rezdy's webhooks. Calls without an order number are not about an order and name no booking. */
export function parseInbound({ body }: InboundCall): InboundNotice {
  if (!isJsonObject(body)) {
    throw new InvalidBookingResponse(`the call’s body is ${kindOf(body)}: it is not a Rezdy webhook`);
  }
  const orderNumber = textOf(body.orderNumber) ?? textOf(objectOf(body.booking).orderNumber);
  return { bookingIds: orderNumber === undefined ? [] : [orderNumber] };
}
