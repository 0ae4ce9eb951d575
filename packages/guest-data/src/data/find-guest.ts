import type { Database, HashEmail } from '@waiver-service/store/features';
import { type RawBuilder, sql } from 'kysely';

/**
 * Identifies a guest: by one record, or by all records whose answer `email` is or once was this address, regardless of
 * case.
 */
export type GuestReference = { readonly waiverId: string } | { readonly email: string };

/** A {@link GuestReference} in the forms in which the database compares addresses. */
export type FoundGuest =
  | { readonly waiverId: string }
  | { readonly email: string; readonly hash: Buffer | undefined };

/** Normalizes the address in the database, as its index does, and hashes it like the stored previous addresses. */
export async function normalizeGuest(
  database: Database,
  hashEmail: HashEmail,
  pool: string,
  guest: GuestReference,
): Promise<FoundGuest> {
  if ('waiverId' in guest) return guest;
  const { rows } = await sql<{ email: string | null }>`
select normalized_email(${JSON.stringify(guest)}) as email`.execute(database);
  return { email: rows[0]?.email ?? '', hash: hashEmail(pool, guest.email) };
}

/**
 * The distinct `id`s of a guest's unerased records in a pool, and of the unerased records that confirm one of them
 * (`reuse_of`).
 */
export const idsOfGuest = (pool: string, guest: FoundGuest): RawBuilder<{ readonly id: string }> =>
  'waiverId' in guest
    ? sql`
select w.id from waiver w where w.pool = ${pool} and w.id = ${guest.waiverId} and w.erasure is null
union
select w.id from waiver w where w.pool = ${pool} and w.reuse_of = ${guest.waiverId} and w.erasure is null`
    : sql`
select w.id from waiver w
where w.pool = ${pool} and w.erasure is null
  and hashtextextended(normalized_email(w.answers), 0) = hashtextextended(${guest.email}, 0)
  and normalized_email(w.answers) = ${guest.email}
union
select w.id from former_email f join waiver w on w.pool = f.pool and w.id = f.waiver_id
where f.pool = ${pool} and f.hash = ${guest.hash ?? null} and w.erasure is null
union
select w.id from former_email f join waiver w on w.pool = f.pool and w.reuse_of = f.waiver_id
where f.pool = ${pool} and f.hash = ${guest.hash ?? null} and w.erasure is null
union
select w.id from waiver o join waiver w on w.pool = o.pool and w.reuse_of = o.id
where o.pool = ${pool} and w.erasure is null
  and hashtextextended(normalized_email(o.answers), 0) = hashtextextended(${guest.email}, 0)
  and normalized_email(o.answers) = ${guest.email}`;
