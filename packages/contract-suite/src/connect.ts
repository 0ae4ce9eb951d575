import type {
  BookingSystemAccess,
  BookingSystemContext,
  BookingSystemPlugin,
  FetchedBooking,
  InstalledAccount,
  PushedWaiver,
  SignedDocument,
  Waiver,
} from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import { onTestFinished } from 'vitest';

/** Where a plugin is connected to, and what is configured there. */
export interface Connection {
  /** Of the vendor's simulator, or one for which nock answers. `null` for the vendor's public address. */
  readonly baseUrl: string | null;
  readonly settings?: object;
  readonly account?: object;
}

/** A plugin that a test calls as the host does: through the real client. */
export interface ConnectedPlugin<S, A> {
  /** A new installation's context for one call. */
  contextFor(purpose?: BookingSystemAccess['purpose']): BookingSystemContext<S, A>;
  read(bookingId: string): Promise<FetchedBooking>;
  /** Writes a waiver; what is not given is that of a waiver `w1`, signed on 2027-06-11. */
  push(
    waiver: Partial<Waiver> & Pick<Waiver, 'bookingId'>,
    document?: SignedDocument,
  ): Promise<PushedWaiver | undefined>;
}

/** Connects a plugin within a test, which may then be answered by the vendor's simulator or by nock. */
export function connect<S, A extends InstalledAccount>(
  plugin: BookingSystemPlugin<S, A>,
  { baseUrl, settings = {}, account = {} }: Connection,
): ConnectedPlugin<S, A> {
  const contextFor = (purpose: BookingSystemAccess['purpose'] = 'read') => {
    const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5_000 });
    onTestFinished(() => outbound.close());
    return createBookingSystemContext({
      plugin,
      outbound,
      baseUrl,
      pool: 'pool-1',
      settings,
      account: { accountId: 'a', apiKey: 'account-key', ...account },
      purpose,
      signal: new AbortController().signal,
    });
  };
  return {
    contextFor,
    read: async (bookingId) => plugin.fetchBooking(contextFor(), bookingId),
    push: async (waiver, document) =>
      plugin.pushWaiver?.(
        contextFor('guest-update'),
        {
          id: 'w1',
          pool: 'pool-1',
          lastVisit: '2027-06-12T07:30:00.000Z',
          deleted: false,
          updatedAt: '2027-06-11T18:00:00.123Z',
          ...waiver,
        },
        document,
      ),
  };
}
