import { defineBookingSystem } from '@waiver-service/plugin-kit';

/** A booking system that follows the contract to the letter, with the booking id in the query. */
export default defineBookingSystem({
  installName: 'standard-query',
  displayName: 'Standard booking system (query)',
  authHeaderName: 'authentication',
  pathShape: 'query',
  guestId: 'none',
});
