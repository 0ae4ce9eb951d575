import { prepared } from '@waiver-service/database';
import type {
  ChangeParts,
  Database,
  DatabaseTransaction,
  StoreContext,
} from '@waiver-service/store/features';
import { answersBytes } from '@waiver-service/waivers';
import { sql } from 'kysely';
import {
  type CopyRecipient,
  copiesOfStored,
  insertCopy,
  insertCopyMail,
  type SigningContext,
} from './copies.ts';
import { insertRecord, type NewSigningRecord } from './insert-record.ts';
import {
  admitGuests,
  type SigningRefusal,
  SigningRefused,
  type SigningWaivers,
  type StartedWaiver,
  signedWaiverId,
  startedWaivers,
  writeSigningWaivers,
} from './signing-waivers.ts';

/** What is stored: the numbers of signings and finished pages, once for each of their guests, and their bytes. */
interface DayAmount {
  readonly signings: number;
  readonly pages: number;
  readonly bytes: number;
}

const GiB = 1024 ** 3;

/*
 * The busiest pools have 3,000 guests a day, with five pages each: they fit several times, even with a photo each. All of
 * them may use one desk link or kiosk. A booking's link is for the guests of one booking.
 */
const maxOfPool: DayAmount = { signings: 20_000, pages: 200_000, bytes: 20 * GiB };
const maxOfDesk: DayAmount = { signings: 10_000, pages: 100_000, bytes: 10 * GiB };
const maxOfBooking: DayAmount = { signings: 1_000, pages: 20_000, bytes: GiB };

/**
 * Takes from the budgets of a day (UTC) that the hosts share: a pool's, and its link's or kiosk's. Call it last: other
 * signings of the pool wait for the row.
 * @throws SigningRefused `link-day-full`, `pool-day-full`
 */
async function takeFromDay(
  transaction: DatabaseTransaction,
  { pool, link }: { readonly pool: string; readonly link: string | null },
  { signings, pages, bytes }: DayAmount,
): Promise<void> {
  const scopes = link === null ? [''] : ['', link];
  const { rows } = await sql<{ link: string }>`${prepared}
with is_of_booking as materialized (
  select exists (select from check_in_link where id = ${link} and booking_id is not null) as yes)
insert into guest_budget as b (pool, link, day, signings, pages, bytes)
select ${pool}, s.link, (now() at time zone 'UTC')::date, ${signings}::integer, ${pages}::integer, ${bytes}::bigint
from unnest(${scopes}::text[]) s (link) order by s.link
on conflict (pool, link, day) do update
set signings = b.signings + excluded.signings, pages = b.pages + excluded.pages, bytes = b.bytes + excluded.bytes
where b.signings + excluded.signings <= case when b.link = '' then ${maxOfPool.signings}::integer
    when (select yes from is_of_booking) then ${maxOfBooking.signings}::integer else ${maxOfDesk.signings}::integer end
  and b.pages + excluded.pages <= case when b.link = '' then ${maxOfPool.pages}::integer
    when (select yes from is_of_booking) then ${maxOfBooking.pages}::integer else ${maxOfDesk.pages}::integer end
  and b.bytes + excluded.bytes <= case when b.link = '' then ${maxOfPool.bytes}::bigint
    when (select yes from is_of_booking) then ${maxOfBooking.bytes}::bigint else ${maxOfDesk.bytes}::bigint end
returning b.link`.execute(transaction);
  if (rows.length === scopes.length) return;
  throw new SigningRefused(rows.some((row) => row.link === '') ? 'link-day-full' : 'pool-day-full');
}

/** A signing to store. */
export interface NewSigning extends Omit<SigningWaivers, 'currentPage'>, Omit<NewSigningRecord, 'guests'> {
  readonly form: string;
  readonly formVersion: number;
  readonly language: string;
  /** Hexadecimal SHA-256 of the request, to recognize a repeated one. */
  readonly contentHash: string;
  readonly leaf: string;
  readonly receivedAt: Date;
  /** The signing that a returning guest confirms; each waiver then has a `reuseOf`. */
  readonly reuseOf?: string | undefined;
  /** Staff store what a guest has signed: it counts in no budget. */
  readonly isByStaff?: boolean;
  /** Whom to send the link to the copy; undefined for nobody. */
  readonly copyTo?: CopyRecipient | undefined;
}

/** A stored signing, for the response. */
export interface StoredSigning {
  readonly id: string;
  readonly receivedAt: Date;
  readonly waivers: readonly { readonly id: string; readonly bookingGuestId: string | null }[];
  /** Of the link to the copy. */
  readonly copyToken: string;
}

/** The outcome of storing a signing. `same`: the request was a repeat. */
export type SigningOutcome =
  | { readonly outcome: 'signed' | 'same'; readonly signing: StoredSigning }
  | { readonly outcome: 'exists-differently' | SigningRefusal };

/** The size of a sealed record. */
const bytesOf = ({ parts, entries, photos }: NewSigning): number =>
  [...parts, ...entries].reduce((sum, { text }) => sum + text.length, 0) +
  photos.reduce((sum, { data }) => sum + data.length, 0);

/** Stores a signing's row and its copy. @returns the {@link startedWaivers}; undefined if there is one with this id */
async function insertSigning(
  transaction: DatabaseTransaction,
  signing: NewSigning,
  copyToken: string,
): Promise<readonly StartedWaiver[] | undefined> {
  const { rows } = await sql<{ started: StartedWaiver[] }>`${prepared}
with stored as (
  insert into signing (pool, id, link, form, form_version, language, content_hash, leaf, received_at,
    reuse_of)
  values (${signing.pool}, ${signing.id}, ${signing.link}, ${signing.form}, ${signing.formVersion}::integer,
    ${signing.language}, decode(${signing.contentHash}, 'hex'), decode(${signing.leaf}, 'hex'), ${signing.receivedAt},
    ${signing.reuseOf ?? null})
  on conflict do nothing returning pool, id),
${copiesOfStored(copyToken)}
select ${startedWaivers(signing)} as started from stored`.execute(transaction);
  return rows[0]?.started;
}

/** Locks the waivers that a returning guest confirms: none of them may be voided or erased meanwhile. */
async function lockConfirmed(transaction: DatabaseTransaction, { pool, waivers }: NewSigning): Promise<void> {
  const confirmed = new Set(waivers.flatMap(({ reuseOf }) => reuseOf ?? []));
  if (confirmed.size === 0) return;
  const { rows } = await sql`
select from waiver where pool = ${pool} and id = any (${[...confirmed]}::text[]) and not deleted and erasure is null
order by id for share`.execute(transaction);
  if (rows.length < confirmed.size) throw new SigningRefused('confirmed-gone');
}

/** @returns undefined if there is no signing with this id */
export async function readStored(
  database: Database,
  { pool, id, contentHash }: Pick<NewSigning, 'pool' | 'id' | 'contentHash'>,
  copyToken: string,
): Promise<SigningOutcome | undefined> {
  const { rows } = await sql<Omit<StoredSigning, 'id' | 'copyToken'> & { readonly isSame: boolean }>`
select s.content_hash = decode(${contentHash}, 'hex') as is_same, s.received_at,
  (select coalesce(json_agg(json_build_object('id', w.waiver_id, 'bookingGuestId', r.booking_guest_id) order by w.guest), '[]')
    from signing_waiver w join waiver r on r.pool = w.pool and r.id = w.waiver_id
    where w.pool = s.pool and w.signing = s.id) as waivers
from signing s where s.pool = ${pool} and s.id = ${id}`.execute(database);
  const [row] = rows;
  if (row === undefined) return undefined;
  if (!row.isSame) return { outcome: 'exists-differently' };
  const { receivedAt, waivers } = row;
  // An earlier version stored none.
  await insertCopy(database, { pool, id }, copyToken);
  return { outcome: 'same', signing: { id, receivedAt, waivers, copyToken } };
}

/**
 * Stores a signing in one transaction: its row, on which a concurrent repeat waits before it finds the signing; its
 * guests' waivers with their messages; the sealed record; and the copy, with the message that has its link.
 * @throws what `requireNotSigned` throws
 */
export async function storeSigning(
  context: SigningContext,
  signing: NewSigning,
  copyToken: string,
  listeners: ChangeParts,
): Promise<SigningOutcome> {
  const { database, encryption, guestMail } = context;
  const { copyTo, pool } = signing;
  let destination: string | undefined;
  const result = await writeSigningWaivers<SigningOutcome>(
    database,
    { ...signing, currentPage: null },
    {
      async before(transaction) {
        // First: it locks the pool if it has none yet.
        destination = copyTo && (await guestMail.destinationOf(transaction, pool));
        const started = await insertSigning(transaction, signing, copyToken);
        if (started === undefined)
          return {
            ended: (await readStored(transaction, signing, copyToken)) ?? { outcome: 'exists-differently' },
          };
        await admitGuests(transaction, { ...signing, currentPage: null });
        await lockConfirmed(transaction, signing);
        return { started };
      },
      async after(transaction) {
        await insertRecord(transaction, encryption, { ...signing, guests: signing.waivers.length });
        const waivers = signing.waivers.map(({ bookingGuestId }, guest) => ({
          id: signedWaiverId(signing.id, guest),
          bookingGuestId: bookingGuestId ?? null,
        }));
        if (copyTo !== undefined && destination !== undefined)
          await insertCopyMail(transaction, context, signing, copyTo, destination);
        if (signing.isByStaff !== true)
          await takeFromDay(transaction, signing, {
            signings: signing.waivers.length,
            pages: 0,
            bytes: bytesOf(signing),
          });
        return {
          outcome: 'signed',
          signing: { id: signing.id, receivedAt: signing.receivedAt, waivers, copyToken },
        };
      },
    },
    listeners,
  );
  return result instanceof SigningRefused ? { outcome: result.refusal } : result;
}

/** A finished page of a multi-page form, and the link that it came by. */
export interface FinishedPage extends SigningWaivers {
  readonly link: string | null;
}

/** The outcome of storing a finished page. `signed`: the whole form was signed meanwhile, and nothing was stored. */
export type PageOutcome = 'stored' | 'signed' | SigningRefusal;

/**
 * Stores a finished page of a multi-page form: its guests' waivers, still incomplete.
 * @throws what `requireNotSigned` throws
 */
export async function storePage(
  { database }: StoreContext,
  page: FinishedPage,
  listeners: ChangeParts,
): Promise<PageOutcome> {
  const result = await writeSigningWaivers<PageOutcome>(
    database,
    page,
    {
      async before(transaction) {
        const { rows } = await sql<{ isSigned: boolean; started: StartedWaiver[] }>`
select exists (select from signing where pool = ${page.pool} and id = ${page.id}) as is_signed,
  ${startedWaivers(page)} as started`.execute(transaction);
        if (rows[0]?.isSigned) return { ended: 'signed' };
        await admitGuests(transaction, page);
        return { started: rows[0]?.started ?? [] };
      },
      async after(transaction) {
        const bytes = page.waivers.reduce((sum, { answers }) => sum + answersBytes(answers ?? {}), 0);
        await takeFromDay(transaction, page, { signings: 0, pages: page.waivers.length, bytes });
        return 'stored';
      },
    },
    listeners,
  );
  return result instanceof SigningRefused ? result.refusal : result;
}
