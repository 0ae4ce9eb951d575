import type { StatusGroup } from '@waiver-service/core';

export const statusMap: Readonly<Record<string, StatusGroup>> = {
  CONFIRMED: 'active',
  ARRIVED: 'active',
  CART: 'other',
  REQUESTED: 'other',
  RESERVED: 'other',
  NO_SHOW: 'other',
  ERROR: 'other',
  CANCELLED: 'cancelled',
  REJECTED: 'cancelled',
  ABORTED: 'cancelled',
  TIMEOUT: 'cancelled',
};

/** Whether a status, of a booking or of one of its activities, means that the people will not come. */
export const isCancelled = (status: unknown): boolean =>
  typeof status === 'string' && statusMap[status] === 'cancelled';
