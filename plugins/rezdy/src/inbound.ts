import { type InboundCall, type InboundNotice, InvalidBookingResponse } from '@waiver-service/core';
import { isJsonObject, kindOf, objectOf, textOf } from '@waiver-service/plugin-kit';

/** Reads a call of Rezdy's webhooks. Only those of orders have an order number: the others name no booking. */
export function parseInbound({ body }: InboundCall): InboundNotice {
  if (!isJsonObject(body)) {
    throw new InvalidBookingResponse(`the call’s body is ${kindOf(body)}: it is none of Rezdy’s webhooks`);
  }
  const orderNumber = textOf(body.orderNumber) ?? textOf(objectOf(body.booking).orderNumber);
  return { bookingIds: orderNumber === undefined ? [] : [orderNumber] };
}
