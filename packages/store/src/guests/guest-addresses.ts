import type { WaiverRecord } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import type { HashEmail } from '../encryption/email-hashes.ts';

/** The e-mail addresses of records. */
export interface GuestAddresses {
  /** Their current addresses. */
  readonly emails: readonly string[];
  /** Keyed hashes of their previous addresses. */
  readonly former: readonly Buffer[];
  /** Keyed hashes of all addresses of one of the records. */
  hashesOf(record: WaiverRecord): readonly Buffer[];
}

const emailOf = ({ answers: { email } }: WaiverRecord) =>
  typeof email === 'string' && email.trim() !== '' ? [email.trim()] : [];

export async function readGuestAddresses(
  transaction: DatabaseTransaction,
  hashEmail: HashEmail,
  pool: string,
  records: readonly WaiverRecord[],
): Promise<GuestAddresses> {
  const rows = await transaction
    .selectFrom('formerEmail')
    .select(['waiverId as id', 'hash'])
    .where('pool', '=', pool)
    .where(sql<boolean>`waiver_id = any (${records.map(({ id }) => id)}::text[])`)
    .execute();
  return {
    emails: records.flatMap(emailOf),
    former: rows.map(({ hash }) => hash),
    hashesOf: (record) => [
      ...emailOf(record).flatMap((email) => hashEmail(pool, email) ?? []),
      ...rows.flatMap(({ id, hash }) => (id === record.id ? hash : [])),
    ],
  };
}
