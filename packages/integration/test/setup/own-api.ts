import { defineBookingSystem, installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

/** A booking system whose API is not that of the contract, and whose account has another name. */
export const ownApi = defineBookingSystem({
  installName: 'own-api',
  displayName: 'An API of its own',
  capabilities: { takes: ['notes'], void: true },
  accountSchema: installedAccountSchema.extend({ shortname: z.string().min(1).describe('The company.') }),
  accountIdField: 'shortname',
  url: () => 'https://vendor.example',
  fetchBooking: () => Promise.reject(new Error('nothing is read')),
  pushWaiver: () => Promise.reject(new Error('nothing is written')),
});
