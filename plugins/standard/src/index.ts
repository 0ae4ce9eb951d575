import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem, type NoSettings } from '@waiver-service/plugin-kit';

/** A booking system that follows the contract, with the booking id in the path. */
const standard: BookingSystemPlugin<NoSettings> = defineBookingSystem({
  installName: 'standard',
  displayName: 'Standard booking system',
  authHeaderName: 'api-key',
  pathShape: 'path',
  guestId: 'booking-guest-id',
});

export default standard;
