import { sql } from 'kysely';
import type { Invitation } from '../invitations/invitation.ts';
import { exportLateSignings, type LateSigning } from '../signings/late-signings.ts';
import type { StoreContext } from '../store-context.ts';
import { createErasures } from './erasures.ts';
import { type ExportedWaiver, exportGuest } from './export-guest.ts';
import { type GuestReference, idsOfGuest, normalizeGuest } from './find-guest.ts';
import { createHolds } from './holds.ts';

/** The messages to a guest's address, and its refusals of further ones. */
export interface ExportedInvitations {
  readonly sent: readonly Pick<
    Invitation,
    'id' | 'bookingSystem' | 'bookingId' | 'occasion' | 'state' | 'reason' | 'createdAt' | 'endedAt'
  >[];
  /** Messages with the link to the copy of what was signed. */
  readonly copies: readonly (Pick<Invitation, 'id' | 'state' | 'reason' | 'createdAt' | 'endedAt'> & {
    readonly signing: string;
  })[];
  readonly refused: readonly {
    readonly reason: 'refused' | 'unsubscribed';
    readonly reply: string | null;
    readonly at: Date;
  }[];
}

/** More would mean that the limits on messages failed. */
const maxExported = 10_000;

/** Reads the messages to a guest's address: the given one, or the `email` answered in the given record. */
async function exportInvitations(
  { database, hashEmail }: Pick<StoreContext, 'database' | 'hashEmail'>,
  pool: string,
  guest: GuestReference,
): Promise<ExportedInvitations> {
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
  const sent = await database
    .selectFrom('invitation')
    .select(['id', 'bookingSystem', 'bookingId', 'occasion', 'state', 'reason', 'createdAt', 'endedAt'])
    .where('pool', '=', pool)
    .where(sql<boolean>`address = any (${hashes}::bytea[])`)
    .orderBy('id')
    .limit(maxExported)
    .execute();
  const copies = await database
    .selectFrom('copyMail')
    .select(['id', 'signing', 'state', 'reason', 'createdAt', 'endedAt'])
    .where('pool', '=', pool)
    .where(sql<boolean>`address = any (${hashes}::bytea[])`)
    .orderBy('id')
    .limit(maxExported)
    .execute();
  const refused = await database
    .selectFrom('invitationRefusal')
    .select(['reason', 'reply', 'at'])
    .where('pool', '=', pool)
    .where(sql<boolean>`address = any (${hashes}::bytea[])`)
    .execute();
  return { sent, copies, refused };
}

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
