import type { Booking } from '@waiver-service/core';

/**
 * Whether a booking was cancelled: as its plugin's map of statuses says, or, since the contract names no statuses (2.1), by
 * the word that booking systems have for it.
 */
export const isCancelled = ({ statusGroup, status }: Booking): boolean =>
  statusGroup === 'cancelled' || (statusGroup === undefined && /cancell?ed/i.test(status));
