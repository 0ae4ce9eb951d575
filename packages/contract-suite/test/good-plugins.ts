import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';

/** Follows the contract; most bad plugins are derived from it. */
export const goodPlugin: BookingSystemPlugin = defineBookingSystem({
  installName: 'good',
  displayName: 'Good',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  statusMap: { Active: 'active', Gone: 'cancelled' },
});

/** Makes the other choices where the contract leaves one. */
export const goodQueryPlugin = defineBookingSystem({
  installName: 'good-query',
  displayName: 'Good, asked by query',
  authHeaderName: 'authentication',
  guestUpdateAuthHeaderName: 'x-own-key',
  pathShape: 'query',
  guestId: 'none',
});

/** Addresses every guest by the waiver id. */
export const goodWaiverIdPlugin = defineBookingSystem({
  installName: 'good-waiver-id',
  displayName: 'Good, by waiver id',
  pathShape: 'path',
  guestId: 'waiver-id',
});

/** Reads only the legacy form, and accepts no Guest Updates. */
export const goodLegacyPlugin = defineBookingSystem({
  installName: 'good-legacy',
  displayName: 'Good, legacy',
  pathShape: 'path',
  guestId: 'none',
  capabilities: { forms: ['legacy'], guestUpdate: false, takes: [], void: false, inbound: 'none' },
});
