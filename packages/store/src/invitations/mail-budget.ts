import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';
import type { HashEmail } from '../encryption/email-hashes.ts';

/**
 * How many messages about bookings one address is sent in a day (UTC): anyone may enter any address into a booking. A
 * family with two bookings gets each of their three occasions.
 */
const maxOfPool = 6;
/** From all pools together. */
const maxOverall = 15;

/** No pool has this id. */
const overall = '';

/** The keyed hash of an address, by which the messages of all pools are counted. */
export const hashOverall = (hashEmail: HashEmail, email: string): Buffer | undefined =>
  hashEmail(overall, email);

async function take(transaction: DatabaseTransaction, address: Buffer, max: number): Promise<boolean> {
  const { rows } = await sql`
insert into mail_budget as m (address, day, messages) values (${address}, (now() at time zone 'UTC')::date, 1)
on conflict (address, day) do update set messages = m.messages + 1 where m.messages < ${max}::integer
returning 1`.execute(transaction);
  return rows.length > 0;
}

/** Takes a message to an address from the budgets of the day. @returns false if they are used up */
export async function takeMailOfDay(
  transaction: DatabaseTransaction,
  hashEmail: HashEmail,
  { pool, email }: { readonly pool: string; readonly email: string },
): Promise<boolean> {
  const ofPool = hashEmail(pool, email);
  const ofAll = hashOverall(hashEmail, email);
  if (ofPool === undefined || ofAll === undefined) return false;
  return (await take(transaction, ofPool, maxOfPool)) && (await take(transaction, ofAll, maxOverall));
}
