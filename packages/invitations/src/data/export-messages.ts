import { exportCopyMails } from '@waiver-service/signing/data';
import type { StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import type { OwnTables } from './tables.ts';

/** More would mean that the limits on messages failed. */
const maxExported = 10_000;

/** Reads the messages to addresses of a guest, by their keyed hashes, and the refusals of further ones. */
export async function exportMessages(
  { database }: Pick<StoreContext, 'database'>,
  pool: string,
  hashes: readonly Buffer[],
) {
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
