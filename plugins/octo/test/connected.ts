import type { FetchedBooking, PushedWaiver, SignedDocument, Waiver } from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import { onTestFinished } from 'vitest';
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

/** Calls the plugin as the host does, over real HTTP. */
export function connected(baseUrl: string, settings: object = {}, given: object = {}) {
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5_000 });
  onTestFinished(() => outbound.close());
  const contextFor = (purpose: 'read' | 'guest-update') =>
    createBookingSystemContext({
      plugin,
      outbound,
      baseUrl,
      pool: 'pool-1',
      settings,
      account: { accountId: 'a', apiKey: 'octo-account-key', ...given },
      purpose,
      signal: new AbortController().signal,
    });
  return {
    register: async (url: string, ...formerUrls: string[]) =>
      plugin.webhooks?.register(contextFor('read'), { url, formerUrls }),
    unregister: async (...urls: string[]) => plugin.webhooks?.unregister(contextFor('read'), { urls }),
    read: async (bookingId: string = octoBooking.uuid): Promise<FetchedBooking> =>
      plugin.fetchBooking(contextFor('read'), bookingId),
    push: async (
      changes: Partial<Waiver> = {},
      document?: SignedDocument,
    ): Promise<PushedWaiver | undefined> =>
      plugin.pushWaiver?.(contextFor('guest-update'), waiverOf(changes), document),
  };
}
