import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { Invitation } from './invitation.ts';

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

/** Reads the messages to addresses of a guest, by their keyed hashes. */
export async function exportMessages(
  database: Database,
  pool: string,
  hashes: readonly Buffer[],
): Promise<ExportedInvitations> {
  const isOfGuest = sql<boolean>`address = any (${[...hashes]}::bytea[])`;
  const sent = await database
    .selectFrom('invitation')
    .select(['id', 'bookingSystem', 'bookingId', 'occasion', 'state', 'reason', 'createdAt', 'endedAt'])
    .where('pool', '=', pool)
    .where(isOfGuest)
    .orderBy('id')
    .limit(maxExported)
    .execute();
  const copies = await database
    .selectFrom('copyMail')
    .select(['id', 'signing', 'state', 'reason', 'createdAt', 'endedAt'])
    .where('pool', '=', pool)
    .where(isOfGuest)
    .orderBy('id')
    .limit(maxExported)
    .execute();
  const refused = await database
    .selectFrom('invitationRefusal')
    .select(['reason', 'reply', 'at'])
    .where('pool', '=', pool)
    .where(isOfGuest)
    .execute();
  return { sent, copies, refused };
}
