import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Whose records: one record, or all with an answer `email`, in whichever case it was written. */
export type GuestReference = { readonly waiverId: string } | { readonly email: string };

/** A {@link GuestReference} in the form in which the database compares addresses. */
export type FoundGuest = GuestReference;

/** Has the database normalize the address, as it does those of the index. */
export async function normalizeGuest(database: Database, guest: GuestReference): Promise<FoundGuest> {
  if ('waiverId' in guest) return guest;
  const { rows } = await sql<{ email: string | null }>`
select normalized_email(${JSON.stringify(guest)}) as email`.execute(database);
  return { email: rows[0]?.email ?? '' };
}

/** Whether a record `w` of a pool is one of the guest's and not erased. */
export const isOfGuest = (pool: string, guest: FoundGuest): RawBuilder<boolean> =>
  'waiverId' in guest
    ? sql`w.pool = ${pool} and w.id = ${guest.waiverId} and w.erasure is null`
    : sql`w.pool = ${pool} and w.erasure is null
      and hashtextextended(normalized_email(w.answers), 0) = hashtextextended(${guest.email}, 0)
      and normalized_email(w.answers) = ${guest.email}`;
