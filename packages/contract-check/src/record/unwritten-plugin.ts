import {
  type BookingSystemPlugin,
  type InstalledAccount,
  InvalidBookingResponse,
} from '@waiver-service/core';
import { defineBookingSystem, type NoSettings } from '@waiver-service/plugin-kit';

/**
 * Stands for a plugin that is still to be written: requests what is at some paths, and reads nothing of it.
 * @param header - the header of the account's API key
 */
export function unwrittenPlugin(
  paths: readonly string[],
  header: string,
): BookingSystemPlugin<NoSettings, InstalledAccount> {
  return defineBookingSystem({
    installName: 'unwritten',
    displayName: 'the vendor',
    capabilities: { takes: [], void: false },
    headers: ({ account }) => ({ [header]: account.apiKey }),
    async fetchBooking({ http }) {
      for (const address of paths) {
        const [path = '', query] = address.split('?');
        await http.get(path, { params: Object.fromEntries(new URLSearchParams(query)) });
      }
      throw new InvalidBookingResponse('no plugin reads it yet');
    },
  });
}
