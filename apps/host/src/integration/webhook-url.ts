import type { BookingSystemPlugin } from '@waiver-service/core';

/** Where a vendor announces changed bookings; with the app pool key if the vendor only takes a URL. */
export function webhookUrlOf(
  { installName, capabilities: { inbound, inboundAddress } }: BookingSystemPlugin,
  baseUrl: string,
  poolKey: string,
): string {
  const url = new URL(`${baseUrl}/integration/webhook/${installName}`).href;
  if (inboundAddress === 'shared') return url;
  // Such vendors let one set the address of their calls, but rarely a header.
  return inbound === 'native' ? `${url}?key=${encodeURIComponent(poolKey)}` : url;
}
