import type { StatusGroup } from '@waiver-service/core';

/** OCTO's statuses of bookings and unit items. */
export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  REDEEMED: 'active',
  ON_HOLD: 'other',
  PENDING: 'other',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
  REJECTED: 'cancelled',
};

export const isCancelled = (status: unknown): boolean =>
  typeof status === 'string' && statusMap[status] === 'cancelled';
