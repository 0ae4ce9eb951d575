import type { StatusGroup } from '@waiver-service/core';

/**
 * OCTO's statuses of bookings and unit items, and two of Ventrata's: `NOSHOW`, of people who did not come, and
 * `UPGRADED`, of what another booking or unit item has replaced.
 */
export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  REDEEMED: 'active',
  ON_HOLD: 'other',
  PENDING: 'other',
  NOSHOW: 'other',
  UPGRADED: 'other',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
  REJECTED: 'cancelled',
};

export const isCancelled = (status: unknown): boolean =>
  typeof status === 'string' && statusMap[status] === 'cancelled';
