import { exportLateSignings, type LateSigning } from '@waiver-service/signing/data';
import type { Store } from '@waiver-service/store';
import type { StoreContext } from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { sql } from 'kysely';
import { createErasures } from './erasures.ts';
import { type ExportedWaiver, exportGuest } from './export-guest.ts';
import { type GuestReference, idsOfGuest, normalizeGuest } from './find-guest.ts';

/** Reads the messages to a guest's address: the given one, or the `email` answered in the given record. */
async function exportMessages(
  context: StoreContext,
  pool: string,
  guest: GuestReference,
): Promise<Readonly<Record<string, unknown>>> {
  const { database, hashEmail, features } = context;
  const emails: (string | null)[] = [];
  if ('email' in guest) emails.push(guest.email);
  else {
    const found = await normalizeGuest(database, hashEmail, pool, guest);
    const { rows } = await sql<{ email: string | null }>`
select w.answers::json ->> 'email' as email from (${idsOfGuest(pool, found)}) g
join waiver w on w.pool = ${pool} and w.id = g.id`.execute(database);
    emails.push(...rows.map(({ email }) => email));
  }
  const hashes = emails.flatMap((email) => hashEmail(pool, email) ?? []);
  const messages: Record<string, unknown> = {};
  for (const { personalData } of features)
    Object.assign(messages, await personalData?.exportMessages?.(context, pool, hashes));
  return messages;
}

/** The rights of guests: to get their data, and to have it erased. */
export interface Guests extends ReturnType<typeof createGuests> {}

/** @param onErasure called after each request for an erasure */
function createGuests(context: StoreContext, onErasure: () => void) {
  return {
    erasures: createErasures(context, onErasure),
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
    /** See {@link exportMessages}. */
    exportMessages: (pool: string, guest: GuestReference) => exportMessages(context, pool, guest),
  };
}

/** The store with the rights of guests. */
export interface GuestStore extends Store {
  readonly guests: Guests;
}
export const GuestStore: ServiceIdentifier<GuestStore> = Symbol('GuestStore');

export function openGuestStore(store: Store): GuestStore {
  return { ...store, guests: createGuests(store.context, store.wake) };
}
