import { connect } from '@waiver-service/contract-suite';
import type { SignedDocument, Waiver } from '@waiver-service/core';
import { octoBooking } from '../simulator/index.ts';
import plugin from '../src/index.ts';

/** A waiver for the simulator's booking. */
export const waiverOf = (changes: Partial<Waiver> = {}): Waiver => ({
  id: 'w1',
  pool: 'pool-1',
  bookingId: octoBooking.uuid,
  lastVisit: '2027-06-12T08:00:00.000Z',
  deleted: false,
  updatedAt: '2027-06-11T18:00:00.123Z',
  ...changes,
});

/** The plugin, connected; by default, it reads and writes the simulator's booking. */
export function connected(baseUrl: string, settings: object = {}, account: object = {}) {
  const { contextFor, read, push } = connect(plugin, {
    baseUrl,
    settings,
    account: { apiKey: 'octo-account-key', ...account },
  });
  return {
    register: async (url: string, ...formerUrls: string[]) =>
      plugin.webhooks?.register(contextFor(), { url, formerUrls }),
    unregister: async (...urls: string[]) => plugin.webhooks?.unregister(contextFor(), { urls }),
    read: (bookingId: string = octoBooking.uuid) => read(bookingId),
    push: (changes: Partial<Waiver> = {}, document?: SignedDocument) => push(waiverOf(changes), document),
  };
}
