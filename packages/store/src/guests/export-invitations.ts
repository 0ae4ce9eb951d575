import { sql } from 'kysely';
import type { Invitation } from '../invitations/invitation.ts';
import type { StoreContext } from '../store-context.ts';
import { type GuestReference, idsOfGuest, normalizeGuest } from './find-guest.ts';

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
export async function exportInvitations(
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
