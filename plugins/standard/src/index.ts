import { defineBookingSystem } from '@waiver-service/plugin-kit';

/** A booking system that follows the contract, with the booking id in the path. */
export default defineBookingSystem({
  installName: 'standard',
  displayName: 'Standard booking system',
  contract: { authHeaderName: 'api-key', pathShape: 'path', guestId: 'booking-guest-id' },
});
