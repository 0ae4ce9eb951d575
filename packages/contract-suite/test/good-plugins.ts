import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';

/** Follows the contract to the letter; what most bad plugins are made from. */
export const goodPlugin: BookingSystemPlugin = defineBookingSystem({
  installName: 'good',
  displayName: 'Good',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  statusMap: { Active: 'active', Gone: 'cancelled' },
});

/** The same by the other choices that the contract leaves to each system. */
export const goodQueryPlugin = defineBookingSystem({
  installName: 'good-query',
  displayName: 'Good, asked by query',
  authHeaderName: 'authentication',
  guestUpdateAuthHeaderName: 'x-own-key',
  pathShape: 'query',
  guestId: 'none',
});

/** Names every guest by the waiver id. */
export const goodWaiverIdPlugin = defineBookingSystem({
  installName: 'good-waiver-id',
  displayName: 'Good, by waiver id',
  pathShape: 'path',
  guestId: 'waiver-id',
});

/** Reads the legacy form and nothing else, and takes nothing back. */
export const goodLegacyPlugin = defineBookingSystem({
  installName: 'good-legacy',
  displayName: 'Good, legacy',
  pathShape: 'path',
  guestId: 'none',
  capabilities: { forms: ['legacy'], guestUpdate: false, takes: [], void: false, inbound: 'none' },
});
