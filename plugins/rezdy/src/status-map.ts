import type { StatusGroup } from '@waiver-service/core';

/** Rezdy's statuses of an order. */
export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  PROCESSING: 'other',
  NEW: 'other',
  ON_HOLD: 'other',
  PENDING_SUPPLIER: 'other',
  PENDING_CUSTOMER: 'other',
  CANCELLED: 'cancelled',
  ABANDONED_CART: 'cancelled',
};

export const isCancelled = (status: string): boolean => statusMap[status] === 'cancelled';
