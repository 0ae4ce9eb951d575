import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { StoreContext } from '../store-context.ts';
import type { ChangeParts } from '../waivers/change-waivers.ts';
import { insertRecord, type NewSigningRecord } from './insert-record.ts';
import {
  type SigningRefusal,
  SigningRefused,
  type SigningWaivers,
  signedWaiverId,
  writeSigningWaivers,
} from './signing-waivers.ts';

/** A signing to store. */
export interface NewSigning extends Omit<SigningWaivers, 'currentPage'>, NewSigningRecord {
  readonly link: string;
  readonly form: string;
  readonly formVersion: number;
  readonly language: string;
  /** Hexadecimal SHA-256 of the request, which tells a repeated one. */
  readonly contentHash: string;
  readonly leaf: string;
  readonly receivedAt: Date;
  /** Whether the first guest is the signer. */
  readonly signerTakesPart: boolean;
  /** What staff must see of the answers. */
  readonly flags: readonly { readonly guest: number; readonly item: string; readonly label: string }[];
}

/** A signing as it was answered. */
export interface StoredSigning {
  readonly id: string;
  readonly receivedAt: Date;
  readonly waivers: readonly { readonly id: string; readonly bookingGuestId: string | null }[];
}

/** The outcome of storing a signing. `same`: it is a repeated request. */
export type SigningOutcome =
  | { readonly outcome: 'signed' | 'same'; readonly signing: StoredSigning }
  | { readonly outcome: 'exists-differently' | SigningRefusal };

async function insertSigning(transaction: DatabaseTransaction, signing: NewSigning): Promise<boolean> {
  const { rows } = await sql`${prepared}
insert into signing (pool, id, link, form, form_version, language, content_hash, leaf, received_at)
values (${signing.pool}, ${signing.id}, ${signing.link}, ${signing.form}, ${signing.formVersion}::integer,
  ${signing.language}, decode(${signing.contentHash}, 'hex'), decode(${signing.leaf}, 'hex'), ${signing.receivedAt})
on conflict do nothing returning id`.execute(transaction);
  return rows.length === 1;
}

async function readStored(
  transaction: DatabaseTransaction,
  { pool, id, contentHash }: NewSigning,
): Promise<SigningOutcome> {
  const { rows } = await sql<Omit<StoredSigning, 'id'> & { readonly isSame: boolean }>`
select s.content_hash = decode(${contentHash}, 'hex') as "isSame", s.received_at as "receivedAt",
  (select coalesce(json_agg(json_build_object('id', w.waiver_id, 'bookingGuestId', r.booking_guest_id) order by w.guest), '[]')
    from signing_waiver w join waiver r on r.pool = w.pool and r.id = w.waiver_id
    where w.pool = s.pool and w.signing = s.id) as waivers
from signing s where s.pool = ${pool} and s.id = ${id}`.execute(transaction);
  const [row] = rows;
  if (row === undefined || !row.isSame) return { outcome: 'exists-differently' };
  const { receivedAt, waivers } = row;
  return { outcome: 'same', signing: { id, receivedAt, waivers } };
}

/** Marks the waivers as signed by this signing: from now on, their changes are sealed, too. */
async function linkWaivers(
  transaction: DatabaseTransaction,
  { pool, id, waivers, signerTakesPart, flags }: NewSigning,
): Promise<void> {
  const guests = waivers.map((_, guest) => guest);
  await sql`${prepared}
with given as materialized (
  select * from unnest(${guests.map((guest) => signedWaiverId(id, guest))}::text[], ${guests}::integer[]) g (waiver_id, guest)),
marked as (update waiver w set signing = ${id} from given g where w.pool = ${pool} and w.id = g.waiver_id),
flagged as (
  insert into signing_flag (pool, waiver_id, item, label)
  select ${pool}, f.* from unnest(${flags.map(({ guest }) => signedWaiverId(id, guest))}::text[],
    ${flags.map(({ item }) => item)}::text[], ${flags.map(({ label }) => label)}::text[]) f
  on conflict (pool, waiver_id, item) do nothing)
insert into signing_waiver (pool, waiver_id, signing, guest, is_signer)
select ${pool}, waiver_id, ${id}, guest, guest = 0 and ${signerTakesPart}::boolean from given`.execute(
    transaction,
  );
}

/**
 * Stores a signing: its row, which makes a repeated request wait and then find it; the waivers of its guests with their
 * messages; the sealed record, in one transaction.
 */
export async function storeSigning(
  { database, encryption }: StoreContext,
  signing: NewSigning,
  listeners: ChangeParts,
): Promise<SigningOutcome> {
  const result = await writeSigningWaivers<SigningOutcome>(
    database,
    { ...signing, currentPage: null },
    {
      async before(transaction) {
        return (await insertSigning(transaction, signing)) ? undefined : readStored(transaction, signing);
      },
      async after(transaction) {
        await linkWaivers(transaction, signing);
        await insertRecord(transaction, encryption, signing);
        const waivers = signing.waivers.map(({ bookingGuestId }, guest) => ({
          id: signedWaiverId(signing.id, guest),
          bookingGuestId: bookingGuestId ?? null,
        }));
        return { outcome: 'signed', signing: { id: signing.id, receivedAt: signing.receivedAt, waivers } };
      },
    },
    listeners,
  );
  return result instanceof SigningRefused ? { outcome: result.refusal } : result;
}

/** The outcome of storing a finished page. `signed`: the whole form was signed meanwhile, and nothing was stored. */
export type PageOutcome = 'stored' | 'signed' | SigningRefusal;

/** Stores a finished page of a form with several: the waivers of the guests, not finished yet. */
export async function storePage(
  { database }: StoreContext,
  page: SigningWaivers,
  listeners: ChangeParts,
): Promise<PageOutcome> {
  const result = await writeSigningWaivers<PageOutcome>(
    database,
    page,
    {
      async before(transaction) {
        const { rows } = await sql`
select from signing where pool = ${page.pool} and id = ${page.id}`.execute(transaction);
        return rows.length > 0 ? 'signed' : undefined;
      },
      after: async () => 'stored',
    },
    listeners,
  );
  return result instanceof SigningRefused ? result.refusal : result;
}
