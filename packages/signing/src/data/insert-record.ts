import { type Encryption, locate, prepared, rowsOf } from '@waiver-service/database';
import type { DatabaseTransaction } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { signedWaiverId } from './signing-waivers.ts';
import { encryptedColumns } from './tables.ts';

/** A sealed text. Hashes and salts are hexadecimal. */
interface Sealed {
  readonly hash: string;
  readonly salt: string;
  readonly text: string;
}

/** A part of the sealed record. */
export interface SignedPart extends Sealed {
  readonly name: string;
}

/** A value of one person, whose hash is in a part. */
export interface SignedEntry extends Sealed {
  /** Entries of `sensitive` are encrypted at rest. */
  readonly part: 'person' | 'sensitive' | 'ink';
  /** Null: the signer's. */
  readonly guest: number | null;
  /** When it is erased, independently of the rest; null: with the guest. */
  readonly eraseAt: Date | null;
}

/** A photo, whose hash is in a part. */
export interface SignedPhoto {
  readonly id: string;
  readonly guest: number | null;
  readonly type: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  readonly data: Buffer;
}

/** The sealed record of a signing. */
export interface NewSigningRecord {
  readonly pool: string;
  readonly id: string;
  readonly parts: readonly SignedPart[];
  readonly entries: readonly SignedEntry[];
  readonly photos: readonly SignedPhoto[];
  /** The number of guests. */
  readonly guests: number;
  /** Whether the first guest is the signer. */
  readonly signerTakesPart: boolean;
  /** Flags on the answers, for staff. */
  readonly flags: readonly { readonly guest: number; readonly item: string; readonly label: string }[];
}

/** Where the text of a health answer is stored. */
export const entryLocation = (pool: string, signing: string, hash: string) =>
  locate(encryptedColumns.signingEntry, pool, signing, Buffer.from(hash, 'hex').toString('base64url'));

/** Stores the parts of a signing's record, its entries, photos and flags. */
export async function insertRecord(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  { pool, id, parts, entries, photos, guests: count, signerTakesPart, flags }: NewSigningRecord,
): Promise<void> {
  const guests = Array.from({ length: count }, (_, guest) => guest);
  const waiverOf = (guest: number) => signedWaiverId(id, guest);
  const entryRows = entries.map(({ part, guest, hash, salt, text, eraseAt }) => {
    const isEncrypted = part === 'sensitive';
    const encrypted = isEncrypted ? encryption.encrypt(entryLocation(pool, id, hash), text) : null;
    const erasedAt = eraseAt?.toISOString() ?? null;
    return { part, guest, hash, salt, body: isEncrypted ? null : text, encrypted, eraseAt: erasedAt };
  });
  await sql`${prepared}
with given as materialized (
  select * from unnest(${guests.map(waiverOf)}::text[], ${guests}::integer[]) g (waiver_id, guest)),
linked as (
  insert into signing_waiver (pool, waiver_id, signing, guest, is_signer)
  select ${pool}, waiver_id, ${id}, guest, guest = 0 and ${signerTakesPart}::boolean from given),
flagged as (
  insert into signing_flag (pool, waiver_id, item, label)
  select ${pool}, f.* from unnest(${flags.map(({ guest }) => waiverOf(guest))}::text[],
    ${flags.map(({ item }) => item)}::text[], ${flags.map(({ label }) => label)}::text[]) f
  on conflict (pool, waiver_id, item) do nothing),
parts as (
  insert into signing_part (pool, signing, name, hash, salt, body)
  select ${pool}, ${id}, p.name, decode(p.hash, 'hex'), decode(p.salt, 'hex'), p.body
  from ${rowsOf(
    parts.map(({ name, hash, salt, text: body }) => ({ name, hash, salt, body })),
    'p',
    { name: 'text', hash: 'text', salt: 'text', body: 'text' },
  )})
insert into signing_entry (pool, signing, hash, part, guest, salt, body, body_encrypted, erase_at)
select ${pool}, ${id}, decode(e.hash, 'hex'), e.part, e.guest, decode(e.salt, 'hex'), e.body, e.encrypted, e.erase_at
from ${rowsOf(entryRows, 'e', {
    part: 'text',
    guest: 'integer',
    hash: 'text',
    salt: 'text',
    body: 'text',
    encrypted: 'text',
    eraseAt: 'timestamptz',
  })}`.execute(transaction);
  for (const { id: photo, guest, type, hash, data } of photos) {
    await sql`
insert into signing_photo (pool, signing, id, guest, type, hash, data)
values (${pool}, ${id}, ${photo}, ${guest}, ${type}, decode(${hash}, 'hex'), ${data})`.execute(transaction);
  }
}
