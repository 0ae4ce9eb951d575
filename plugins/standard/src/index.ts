import { defineBookingSystem } from '@waiver-service/plugin-kit';

/** A booking system that follows the contract to the letter, with the booking id in the path. */
export default defineBookingSystem({
  installName: 'standard',
  displayName: 'Standard booking system',
  authHeaderName: 'api-key',
  pathShape: 'path',
  guestId: 'booking-guest-id',
});
