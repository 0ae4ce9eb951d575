import type { InvitationRefusal } from '@waiver-service/api';
import { type ExportedCopyMail, exportCopyMails } from '@waiver-service/signing/data';
import type { StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import type { Invitation } from './invitation.ts';
import type { OwnTables } from './tables.ts';

/** The messages to a guest's addresses, and its refusals of further ones. */
interface ExportedMessages {
  readonly sent: readonly Pick<
    Invitation,
    'id' | 'bookingSystem' | 'bookingId' | 'occasion' | 'state' | 'reason' | 'createdAt' | 'endedAt'
  >[];
  /** Messages with the link to the copy of what was signed. */
  readonly copies: readonly ExportedCopyMail[];
  readonly refused: readonly Pick<InvitationRefusal, 'reason' | 'reply' | 'at'>[];
}

/** More would mean that the limits on messages failed. */
const maxExported = 10_000;

/** Reads the messages to addresses of a guest, by their keyed hashes, and the refusals of further ones. */
export async function exportMessages(
  { database }: Pick<StoreContext, 'database'>,
  pool: string,
  hashes: readonly Buffer[],
): Promise<{ readonly invitations: ExportedMessages }> {
  const isOfGuest = sql<boolean>`address = any (${[...hashes]}::bytea[])`;
  const sent = await database
    .withTables<OwnTables>()
    .selectFrom('invitation')
    .select(['id', 'bookingSystem', 'bookingId', 'occasion', 'state', 'reason', 'createdAt', 'endedAt'])
    .where('pool', '=', pool)
    .where(isOfGuest)
    .orderBy('id')
    .limit(maxExported)
    .execute();
  const copies = await exportCopyMails(database, pool, hashes, maxExported);
  const refused = await database
    .withTables<OwnTables>()
    .selectFrom('invitationRefusal')
    .select(['reason', 'reply', 'at'])
    .where('pool', '=', pool)
    .where(isOfGuest)
    .execute();
  return { invitations: { sent, copies, refused } };
}
