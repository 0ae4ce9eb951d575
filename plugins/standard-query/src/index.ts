import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem, type NoSettings } from '@waiver-service/plugin-kit';

/** A booking system that follows the contract, with the booking id in the query. */
const standardQuery: BookingSystemPlugin<NoSettings> = defineBookingSystem({
  installName: 'standard-query',
  displayName: 'Standard booking system (query)',
  authHeaderName: 'authentication',
  pathShape: 'query',
  guestId: 'none',
});

export default standardQuery;
