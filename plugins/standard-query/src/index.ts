import { defineBookingSystem } from '@waiver-service/plugin-kit';

/** A booking system that follows the contract, with the booking id in the query. */
export default defineBookingSystem({
  installName: 'standard-query',
  displayName: 'Standard booking system (query)',
  contract: { authHeaderName: 'authentication', pathShape: 'query', guestId: 'none' },
});
