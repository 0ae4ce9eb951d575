import { type InboundCall, type InboundNotice, InvalidBookingResponse } from '@waiver-service/core';
import { isJsonObject, kindOf, objectOf, textOf } from '@waiver-service/plugin-kit';

/** Parses a call of `octo/webhooks`. Calls not about a booking yield no ids. */
export function parseInbound({ body }: InboundCall): InboundNotice {
  if (!isJsonObject(body)) {
    throw new InvalidBookingResponse(`the call’s body is ${kindOf(body)}: it is not a call of octo/webhooks`);
  }
  const uuid = textOf(objectOf(body.booking).uuid);
  return { bookingIds: uuid === undefined ? [] : [uuid] };
}
