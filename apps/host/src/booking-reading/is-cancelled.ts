import type { Booking } from '@waiver-service/core';

/**
 * Whether a booking was cancelled: by its plugin's map of statuses or, since the contract defines no statuses (2.1), by
 * the usual word for it.
 */
export const isCancelled = ({ statusGroup, status }: Booking): boolean =>
  statusGroup === 'cancelled' || (statusGroup === undefined && /cancell?ed/i.test(status));
