import type { BookingSystemPlugin } from '@waiver-service/core';

/** The address at which a vendor announces changed bookings; with the app pool key if it can only be given a URL. */
export function webhookUrlOf(
  { installName, capabilities: { inbound, inboundAddress } }: BookingSystemPlugin,
  baseUrl: string,
  poolKey: string,
): string {
  const url = new URL(`${baseUrl}/integration/webhook/${installName}`).href;
  if (inboundAddress === 'shared') return url;
  // The calls of such vendors can be given an address, but rarely a header.
  return inbound === 'native' ? `${url}?key=${encodeURIComponent(poolKey)}` : url;
}
