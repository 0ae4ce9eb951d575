import { randomInt } from 'node:crypto';
import {
  type DatabaseTransaction,
  generateSecret,
  hashSecret,
  isSameHash,
  type StoreContext,
} from '@waiver-service/store/features';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { takeCodeOfDay } from './mail-budget.ts';
import type { OwnTables } from './tables.ts';

/*
 * A returning guest proves that an e-mail address is theirs:
 *
 *   asked ── the right code, within ten minutes, at the fifth attempt at the latest ──▶ proven, for half an hour
 *
 * A code is created for any address, but the caller mails it only if the address is known. So neither the response nor
 * its timing reveals whether it is.
 */

/** How long a code works. */
export const codeMinutes = 10;
/** How long the proof works: a guest may have to ask a child first. */
const proofMinutes = 30;
const maxCodeAttempts = 5;

/** The maximum number of codes. */
export interface CodeLimits {
  /** For one address, within 15 minutes. */
  readonly ofEmail: number;
  /** By one link, within an hour. */
  readonly ofLink: number;
}

/** A guest's address, with the link that they use. */
export interface GuestAddress {
  readonly pool: string;
  /** The id of the link. */
  readonly link: string;
  readonly email: string;
}

/** The proof that an address is a guest's. */
export interface AddressProof {
  readonly proof: string;
  readonly expiresAt: Date;
}

/** Codes for returning guests. They and the addresses are stored as keyed hashes. */
export function createReturningCodes({ database, hashEmail }: Pick<StoreContext, 'database' | 'hashEmail'>) {
  const emailHash = ({ pool, email }: GuestAddress) => hashEmail(pool, email) ?? Buffer.alloc(0);
  // Keyed, because all six-digit codes can be tried in no time.
  const codeHash = ({ pool }: GuestAddress, id: string, code: string) =>
    hashEmail(pool, `${id} ${code}`) ?? Buffer.alloc(0);

  return {
    /** A new six-digit code; earlier ones stay valid. Undefined beyond the limits, or those of the address's day. */
    async create(
      guest: GuestAddress,
      { ofEmail, ofLink }: CodeLimits,
    ): Promise<{ id: string; code: string } | undefined> {
      const id = uuidv7();
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const isMade = await database.transaction().execute(async (transaction) => {
        // Serialized, so that concurrent calls cannot exceed the limits.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`returning codes ${guest.pool}`}, 0))`.execute(
          transaction,
        );
        const { numAffectedRows } = await sql`
insert into returning_code (id, pool, link, email_hash, code_hash, expires_at)
select ${id}, ${guest.pool}, ${guest.link}, ${emailHash(guest)}, ${codeHash(guest, id, code)},
  now() + ${codeMinutes}::integer * interval '1 minute'
where (select count(*) from returning_code where pool = ${guest.pool} and email_hash = ${emailHash(guest)}
    and created_at > now() - interval '15 minutes') < ${ofEmail}::integer
  and (select count(*) from returning_code where link = ${guest.link}
    and created_at > now() - interval '1 hour') < ${ofLink}::integer`.execute(transaction);
        if (numAffectedRows !== 1n) return false;
        if (await takeCodeOfDay(transaction, hashEmail, guest)) return true;
        await transaction.withTables<OwnTables>().deleteFrom('returningCode').where('id', '=', id).execute();
        return false;
      });
      return isMade ? { id, code } : undefined;
    },

    /** Exchanges a code, once. `ended`: it has expired, was used, or had too many attempts. */
    async exchange(
      guest: GuestAddress,
      { id, code }: { id: string; code: string },
    ): Promise<AddressProof | 'wrong' | 'ended'> {
      // Counted before the comparison, so that concurrent attempts cannot exceed the limit.
      const row = await database
        .withTables<OwnTables>()
        .updateTable('returningCode')
        .set({ attempts: sql<number>`attempts + 1` })
        .where('id', '=', id)
        .where('pool', '=', guest.pool)
        .where('link', '=', guest.link)
        .where('emailHash', '=', emailHash(guest))
        .where('expiresAt', '>', sql<Date>`now()`)
        .where('proofHash', 'is', null)
        .where('attempts', '<', maxCodeAttempts)
        .returning(['codeHash', 'attempts'])
        .executeTakeFirst();
      if (row === undefined) return 'ended';
      if (!isSameHash(row.codeHash, codeHash(guest, id, code)))
        return row.attempts < maxCodeAttempts ? 'wrong' : 'ended';
      const { secret, hash } = generateSecret('wsr');
      const proven = await database
        .withTables<OwnTables>()
        .updateTable('returningCode')
        .set({
          proofHash: hash,
          proofExpiresAt: sql<Date>`now() + ${proofMinutes}::integer * interval '1 minute'`,
        })
        .where('id', '=', id)
        .where('proofHash', 'is', null)
        .returning('proofExpiresAt as expiresAt')
        .executeTakeFirst();
      return proven?.expiresAt ? { proof: secret, expiresAt: proven.expiresAt } : 'ended';
    },

    async isProven(guest: GuestAddress, proof: string): Promise<boolean> {
      const { rows } = await sql`
select from returning_code
where pool = ${guest.pool} and link = ${guest.link} and email_hash = ${emailHash(guest)}
  and proof_hash = ${hashSecret(proof)} and proof_expires_at > now()`.execute(database);
      return rows.length > 0;
    },
  };
}

/** Deletes the codes of an address, by its keyed hash. */
export async function eraseReturningCodes(
  transaction: DatabaseTransaction,
  pool: string,
  emailHash: Buffer,
): Promise<void> {
  await transaction
    .withTables<OwnTables>()
    .deleteFrom('returningCode')
    .where('pool', '=', pool)
    .where('emailHash', '=', emailHash)
    .execute();
}
