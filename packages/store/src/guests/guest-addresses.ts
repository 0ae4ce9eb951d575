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
  const { rows } = await sql<{ id: string; hash: Buffer }>`
select waiver_id as id, hash from former_email
where pool = ${pool} and waiver_id = any (${records.map(({ id }) => id)}::text[])`.execute(transaction);
  return {
    emails: records.flatMap(emailOf),
    former: rows.map(({ hash }) => hash),
    hashesOf: (record) => [
      ...emailOf(record).flatMap((email) => hashEmail(pool, email) ?? []),
      ...rows.flatMap(({ id, hash }) => (id === record.id ? hash : [])),
    ],
  };
}
