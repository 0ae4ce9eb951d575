import { exportLateSignings, type LateSigning } from '../signings/late-signings.ts';
import type { StoreContext } from '../store-context.ts';
import { createErasures } from './erasures.ts';
import { type ExportedWaiver, exportGuest } from './export-guest.ts';
import { type ExportedInvitations, exportInvitations } from './export-invitations.ts';
import type { GuestReference } from './find-guest.ts';
import { createHolds } from './holds.ts';

/** The rights of guests, to get their data and to have it erased; and holds, which limit erasure. */
export interface Guests extends ReturnType<typeof createGuests> {}

/** @param onErasure called after each request for an erasure */
export function createGuests(context: StoreContext, onErasure: () => void) {
  return {
    erasures: createErasures(context, onErasure),
    holds: createHolds(context.database),
    /** See {@link exportGuest}. */
    export: (pool: string, guest: GuestReference): AsyncGenerator<ExportedWaiver> =>
      exportGuest(context, pool, guest),
    /** The guest's signings that wait for staff. */
    exportLate(
      pool: string,
      guest: GuestReference,
    ): AsyncGenerator<Pick<LateSigning, 'id' | 'reason' | 'receivedAt'> & { readonly body: string }> {
      const emailHash = 'email' in guest ? context.hashEmail(pool, guest.email) : undefined;
      return exportLateSignings(context, pool, {
        emailHashes: emailHash === undefined ? [] : [emailHash],
        waiverIds: 'waiverId' in guest ? [guest.waiverId] : [],
      });
    },
    /** See {@link exportInvitations}. */
    exportInvitations: (pool: string, guest: GuestReference): Promise<ExportedInvitations> =>
      exportInvitations(context, pool, guest),
  };
}
