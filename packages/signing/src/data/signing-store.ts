import type { SigningOfWaiver } from '@waiver-service/api';
import { currentTime, prepared } from '@waiver-service/database';
import type { EvidenceRecord } from '@waiver-service/evidence';
import type { Store } from '@waiver-service/store';
import { announceChanges, type Database, type DatabaseTransaction } from '@waiver-service/store/features';
import { type Answers, isMaskedEmail } from '@waiver-service/waivers';
import type { ServiceIdentifier } from 'inversify';
import { sql } from 'kysely';
import { createCheckInLinks } from './check-in-links.ts';
import { copyTokenOf, createCopies, createCopyMails, type GuestMail, type SigningContext } from './copies.ts';
import { createEvidenceRoots } from './evidence-chain.ts';
import { createForms, type Forms } from './forms.ts';
import { createLateSignings, type LateSignings } from './late-signings.ts';
import { createSealingKeys } from './pool-secrets.ts';
import { readEvidence, readSigningRecord, type StoredEvidence } from './read-evidence.ts';
import { createReturningCodes } from './returning-codes.ts';
import {
  type FinishedPage,
  type NewSigning,
  type PageOutcome,
  readStored,
  type SigningOutcome,
  storePage,
  storeSigning,
} from './store-signing.ts';

/** A signed waiver that has not expired, with its signing. */
export interface ReusableWaiver {
  readonly id: string;
  /** The id of the signing. */
  readonly signing: string;
  /** Position among the signing's guests. */
  readonly guest: number;
  readonly isSigner: boolean;
  readonly form: string;
  readonly formVersion: number;
  /** The leaf of its record, in hexadecimal. */
  readonly leaf: string;
  readonly receivedAt: Date;
  readonly validUntil: string;
  readonly answers: Answers;
  readonly flags: readonly { readonly item: string; readonly label: string }[];
}

// Many waivers may have the same address, such as a club's.
const maxWaivers = 200;

/**
 * The waivers with an e-mail address that were signed on the check-in page and are valid on a day, newest first; not
 * those that only confirm another. None for an agency's alias, which is not a guest's own address.
 *
 * @param day - `YYYY-MM-DD`
 */
async function findReusableWaivers(
  database: Database,
  { pool, email, day }: { readonly pool: string; readonly email: string; readonly day: string },
): Promise<ReusableWaiver[]> {
  if (isMaskedEmail(email)) return [];
  const { rows } = await sql<Omit<ReusableWaiver, 'answers'> & { readonly answers: string }>`
with wanted as materialized (select normalized_email(${JSON.stringify({ email })}) as email)
select w.id, g.signing, g.guest, g.is_signer, s.form, s.form_version,
  encode(s.leaf, 'hex') as leaf, s.received_at, w.valid_until, w.answers,
  (select coalesce(json_agg(json_build_object('item', f.item, 'label', f.label) order by f.item), '[]')
    from signing_flag f where f.pool = w.pool and f.waiver_id = w.id) as flags
from wanted n
join waiver w on w.pool = ${pool} and w.erasure is null and not w.deleted and w.current_page is null
  and hashtextextended(normalized_email(w.answers), 0) = hashtextextended(n.email, 0)
  and normalized_email(w.answers) = n.email
join signing_waiver g on g.pool = w.pool and g.waiver_id = w.id
join signing s on s.pool = g.pool and s.id = g.signing and s.reuse_of is null
where w.valid_until >= ${day}
order by s.received_at desc, w.id limit ${maxWaivers}::integer`.execute(database);
  return rows.map((row) => ({ ...row, answers: JSON.parse(row.answers) }));
}

/** Erases what guests have signed for these waivers. */
export async function eraseSigned(
  transaction: DatabaseTransaction,
  pool: string,
  waiverIds: readonly string[],
): Promise<void> {
  await sql`select erase_signed(${pool}, ${[...waiverIds]}::text[])`.execute(transaction);
}

/** The records that guests signed, and their evidence. */
export interface Signings extends ReturnType<typeof createSignings> {}

function createSignings(context: SigningContext) {
  const { database } = context;
  const listeners = announceChanges(context);
  return {
    /** Idempotent: a repeated request returns the stored signing. */
    async store(signing: NewSigning): Promise<SigningOutcome> {
      const result = await storeSigning(context, signing, await copyTokenOf(context, signing), listeners);
      if (result.outcome === 'signed' && signing.copyTo !== undefined)
        context.notifications.announce('outbox');
      return result;
    },
    /** The outcome of `store` for a stored signing; undefined if there is none with its id. */
    find: async (
      signing: Pick<NewSigning, 'pool' | 'id' | 'contentHash'>,
    ): Promise<SigningOutcome | undefined> =>
      readStored(database, signing, await copyTokenOf(context, signing)),
    /** The waivers of an address that a returning guest may confirm on a day, if their form lets them. */
    reusable: (wanted: {
      readonly pool: string;
      readonly email: string;
      readonly day: string;
    }): Promise<ReusableWaiver[]> => findReusableWaivers(database, wanted),
    /** When a signing that is sealed now was received: by the database's clock, as its place in the chain. */
    async receivedNow(): Promise<Date> {
      const { rows } = await sql<{ at: Date }>`${prepared}
select ${currentTime} as at`.execute(database);
      const [row] = rows;
      if (row === undefined) throw new Error('the database did not tell its time');
      return row.at;
    },
    /** The record of a signing, without the parts that were erased. */
    record: (
      pool: string,
      signing: { readonly id: string; readonly leaf: string },
    ): Promise<EvidenceRecord> => readSigningRecord(context, pool, signing),
    /** Stores a finished page of a multi-page form. */
    storePage: (page: FinishedPage): Promise<PageOutcome> => storePage(context, page, listeners),
    /** Undefined if the waiver was not signed here, or is erased. */
    async ofWaiver(pool: string, waiverId: string): Promise<SigningOfWaiver | undefined> {
      const { rows } = await sql<SigningOfWaiver>`
select s.id, s.form, f.name as form_name, s.form_version, s.language, s.received_at,
  s.sequence is not null as is_sealed,
  array(select label from signing_flag g where g.pool = w.pool and g.waiver_id = w.waiver_id order by g.item) as flags
from signing_waiver w join signing s on s.pool = w.pool and s.id = w.signing join form f on f.id = s.form
where w.pool = ${pool} and w.waiver_id = ${waiverId}`.execute(database);
      return rows[0];
    },
    /** The evidence of a waiver's signing. Undefined as for `ofWaiver`. */
    evidence: (pool: string, waiverId: string): Promise<StoredEvidence | undefined> =>
      readEvidence(context, pool, waiverId),
    /** The links by which guests read what they signed. */
    copies: createCopies(context),
    copyMails: createCopyMails(context),
    roots: createEvidenceRoots(context),
  };
}

/** The flags on the answers of some waivers, by their ids. */
export async function readFlags(
  database: Database,
  pool: string,
  waiverIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (waiverIds.length === 0) return new Map();
  const { rows } = await sql<{ waiverId: string; labels: string[] }>`
select f.waiver_id, array_agg(f.label order by f.item) as labels from signing_flag f
where f.pool = ${pool} and f.waiver_id = any (${[...waiverIds]}::text[]) group by f.waiver_id`.execute(
    database,
  );
  return new Map(rows.map(({ waiverId, labels }) => [waiverId, labels]));
}

/** The store with what guests sign. */
export interface SigningStore extends Store {
  readonly forms: Forms;
  readonly checkInLinks: ReturnType<typeof createCheckInLinks>;
  readonly returningCodes: ReturnType<typeof createReturningCodes>;
  readonly signings: Signings;
  readonly sealingKeys: ReturnType<typeof createSealingKeys>;
  readonly lateSignings: LateSignings;
}
export const SigningStore: ServiceIdentifier<SigningStore> = Symbol('SigningStore');

export function openSigningStore(store: Store, guestMail: GuestMail): SigningStore {
  const { context } = store;
  return {
    ...store,
    forms: createForms(context),
    checkInLinks: createCheckInLinks(context),
    returningCodes: createReturningCodes(context),
    signings: createSignings({ ...context, guestMail }),
    sealingKeys: createSealingKeys(context),
    lateSignings: createLateSignings(context),
  };
}
