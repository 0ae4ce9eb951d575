import { asciiAddress } from '@waiver-service/api';
import type { DatabaseTransaction, HashEmail } from '@waiver-service/store/features';
import { sql } from 'kysely';

/**
 * How many messages about bookings one address is sent in a day (UTC): anyone may enter any address into a booking. A
 * family with two bookings gets each of their three occasions.
 */
const maxOfPool = 6;
/** From all pools together, to a mailbox. */
const maxOverall = 15;
/** Links to copies, from all pools together, to a mailbox: who signs may enter any address. */
const maxCopies = 15;
/** Codes of a pool to a mailbox: who has a link may ask for them. */
const maxCodes = 15;

/** No pool has this id. */
const overall = '';

/** Without a tag: most mail servers deliver `ann+tag@…` to `ann@…`. */
const mailboxOf = (email: string) => email.trim().replace(/\+[^@]*(?=@)/, '');

/**
 * The key by which addresses are sorted before several are locked, or taken from their budgets, so that no two
 * transactions deadlock: the mailbox, which all pools share, then the address.
 */
export function mailOrder(email: string): string {
  const address = asciiAddress(email.trim()).toLowerCase();
  return `${mailboxOf(address)} ${address}`;
}

/** The keyed hashes by which messages to an address are counted; undefined for no address. */
const keysOf = (hashEmail: HashEmail, pool: string, email: string) => ({
  ofPool: hashEmail(pool, email),
  ofAll: hashEmail(overall, mailboxOf(email)),
  copies: hashEmail(overall, `copies ${mailboxOf(email)}`),
  codes: hashEmail(pool, `codes ${mailboxOf(email)}`),
});

interface ToAddress {
  readonly pool: string;
  readonly email: string;
}

/** Forgets what was counted for an address, whose guest is erased. */
export async function eraseMailBudgets(
  transaction: DatabaseTransaction,
  hashEmail: HashEmail,
  { pool, email }: ToAddress,
): Promise<void> {
  const keys = Object.values(keysOf(hashEmail, pool, email)).filter((key) => key !== undefined);
  await sql`delete from mail_budget where address = any (${keys}::bytea[])`.execute(transaction);
}

async function take(
  transaction: DatabaseTransaction,
  address: Buffer | undefined,
  max: number,
): Promise<boolean> {
  if (address === undefined) return false;
  const { rows } = await sql`
insert into mail_budget as m (address, day, messages) values (${address}, (now() at time zone 'UTC')::date, 1)
on conflict (address, day) do update set messages = m.messages + 1 where m.messages < ${max}::integer
returning 1`.execute(transaction);
  return rows.length > 0;
}

/** Takes a message about a booking from the budgets of the day. @returns false if they are used up */
export async function takeMailOfDay(
  transaction: DatabaseTransaction,
  hashEmail: HashEmail,
  { pool, email }: ToAddress,
): Promise<boolean> {
  const { ofPool, ofAll } = keysOf(hashEmail, pool, email);
  return (await take(transaction, ofPool, maxOfPool)) && (await take(transaction, ofAll, maxOverall));
}

/** Takes the link to a copy from the budget of the day. @returns false if it is used up */
export const takeCopyOfDay = (
  transaction: DatabaseTransaction,
  hashEmail: HashEmail,
  { pool, email }: ToAddress,
): Promise<boolean> => take(transaction, keysOf(hashEmail, pool, email).copies, maxCopies);

/** Takes a code from the budget of the day. @returns false if it is used up */
export const takeCodeOfDay = (
  transaction: DatabaseTransaction,
  hashEmail: HashEmail,
  { pool, email }: ToAddress,
): Promise<boolean> => take(transaction, keysOf(hashEmail, pool, email).codes, maxCodes);
