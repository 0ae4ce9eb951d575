import type { ErasedWaiver, Erasure } from '@waiver-service/api';
import {
  decodeCursor,
  decodeIdCursor,
  milliseconds,
  type Page,
  type PageRequest,
  pageById,
  pageOf,
  retryDeadlock,
} from '@waiver-service/database';
import {
  eraseLateSignings,
  eraseReturningCodes,
  exportLateSignings,
  type LateSigning,
} from '@waiver-service/signing/data';
import type { Store } from '@waiver-service/store';
import {
  type Database,
  type DatabaseTransaction,
  eraseBookingsNaming,
  markErased,
  type StoreContext,
} from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import {
  type ExportedWaiver,
  exportGuest,
  type FoundGuest,
  type GuestReference,
  idsOfGuest,
  normalizeGuest,
} from './export-guest.ts';

/*
 * An erasure has two states:
 *
 *   telling ── every message has ended, or seven days are over, and all is gone ──▶ done
 *
 * The request marks the records (`waiver.erasure`): from its commit on they are invisible to everyone. The job does the
 * rest (see `erasure-job.ts`), on any host, and resumes where a killed host left off.
 */

/** The longest time for notifying destinations. */
const maxTellingMs = 7 * 86_400_000;

// Keeps transactions short, however many records a guest has. The job does not start on the erasure meanwhile.
const maxMarked = 1_000;
const markingMs = 60_000;

/** The maximum number of held records that an erasure lists. */
const maxNamedHeld = 100;

/** The result of asking for an erasure. */
type ErasureOutcome =
  | { readonly outcome: 'accepted'; readonly erasure: Erasure }
  | { readonly outcome: 'not-found' }
  /** All of the guest's records are on hold. */
  | { readonly outcome: 'held'; readonly heldWaivers: readonly string[] };

const columns = sql`e.id, e.pool, e.state, e.waivers, e.held_waivers, e.asked_by,
  e.asked_at, e.give_up_at, e.done_at`;

async function erasureWhere(
  database: Database,
  condition: RawBuilder<boolean>,
): Promise<Erasure | undefined> {
  const { rows } = await sql<Erasure>`
select ${columns} from erasure e where ${condition} order by e.id desc limit 1`.execute(database);
  return rows[0];
}

/** The erasure that a request repeats. */
function repeatedErasure(database: Database, pool: string, guest: FoundGuest): Promise<Erasure | undefined> {
  return erasureWhere(
    database,
    'waiverId' in guest
      ? sql`e.id = (select w.erasure from waiver w where w.pool = ${pool} and w.id = ${guest.waiverId})`
      : sql`e.pool = ${pool} and e.state = 'telling' and e.email_hash = ${guest.hash ?? null}`,
  );
}

/** Whether a record `w` is kept by a hold, on it or on a record that confirms it (`reuse_of`). */
const isHeldRecord = sql`(w.hold_reason is not null or exists (
  select from waiver c where c.pool = w.pool and c.reuse_of = w.id and c.hold_reason is not null and c.erasure is null))`;

/** Locks the guest's records with a hold, or those without, in id order. */
async function lockRecords(
  transaction: DatabaseTransaction,
  pool: string,
  guest: FoundGuest,
  { isHeld, limit }: { readonly isHeld: boolean; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
with found as materialized (${idsOfGuest(pool, guest)})
select w.id from found f join waiver w on w.pool = ${pool} and w.id = f.id
where w.erasure is null and ${isHeldRecord} = ${isHeld}::boolean
order by w.id limit ${limit}::integer for update of w`.execute(transaction);
  return rows.map(({ id }) => id);
}

const lockFree = (transaction: DatabaseTransaction, pool: string, guest: FoundGuest) =>
  lockRecords(transaction, pool, guest, { isHeld: false, limit: maxMarked });

/** When the job may start on an erasure: later if there may be more records to mark. */
const dueAfter = (marked: readonly string[]) =>
  sql`now() + ${milliseconds(marked.length === maxMarked ? markingMs : 0)}`;

/** Stores an erasure, and marks its first records. */
async function begin(
  transaction: DatabaseTransaction,
  pool: string,
  guest: FoundGuest,
  { askedBy, free, held }: { askedBy: string; free: readonly string[]; held: readonly string[] },
): Promise<Erasure> {
  const id = uuidv7();
  const email = ('hash' in guest && guest.hash) || null;
  const { rows } = await sql<Erasure>`
insert into erasure as e (id, pool, email_hash, waivers, held_waivers, asked_by, due_at, give_up_at)
values (${id}, ${pool}, ${email}, ${free.length}::integer, ${[...held]}::text[], ${askedBy}, ${dueAfter(free)},
  date_trunc('milliseconds', now() + ${milliseconds(maxTellingMs)}))
returning ${columns}`.execute(transaction);
  await markErased(transaction, { pool, erasure: id, ids: free });
  const [erasure] = rows;
  if (erasure === undefined) throw new Error('the erasure was not stored');
  return erasure;
}

/** Marks further records. @returns the erasure; undefined if there are none */
async function markMore(
  transaction: DatabaseTransaction,
  guest: FoundGuest,
  { id, pool }: Erasure,
): Promise<Erasure | undefined> {
  const free = await lockFree(transaction, pool, guest);
  if (free.length === 0) return undefined;
  await markErased(transaction, { pool, erasure: id, ids: free });
  // The job may have finished the erasure of the records marked before.
  const { rows } = await sql<Erasure>`
update erasure e set waivers = e.waivers + ${free.length}::integer, state = 'telling', done_at = null,
  email_hash = ${('hash' in guest && guest.hash) || null}, due_at = ${dueAfter(free)}
where e.id = ${id} returning ${columns}`.execute(transaction);
  const [erasure] = rows;
  if (erasure === undefined) throw new Error(`the erasure ${id} is gone`);
  return erasure;
}

async function beginOrRepeat(
  transaction: DatabaseTransaction,
  { hashEmail, features }: Pick<StoreContext, 'hashEmail' | 'features'>,
  pool: string,
  guest: FoundGuest,
  askedBy: string,
): Promise<{ readonly result: ErasureOutcome; readonly hasMarked: boolean }> {
  const held = await lockRecords(transaction, pool, guest, { isHeld: true, limit: maxNamedHeld });
  const free = await lockFree(transaction, pool, guest);
  const repeated = free.length === 0 ? await repeatedErasure(transaction, pool, guest) : undefined;
  if (free.length === 0 && repeated === undefined) {
    if (held.length > 0) return { result: { outcome: 'held', heldWaivers: held }, hasMarked: false };
    if ('waiverId' in guest) return { result: { outcome: 'not-found' }, hasMarked: false };
  }
  const erasure = repeated ?? (await begin(transaction, pool, guest, { askedBy, free, held }));
  // Also data that no record leads to, since the person who booked may not have signed; in a repeated request, bookings
  // read since the first.
  if ('email' in guest) {
    const emails = [guest.email];
    for (const { personalData } of features)
      await personalData?.eraseMessages?.(transaction, { hashEmail }, pool, {
        emails,
        formerAddresses: [],
        bookings: [],
      });
    await eraseBookingsNaming(transaction, pool, emails);
    if (guest.hash !== undefined) await eraseReturningCodes(transaction, pool, guest.hash);
    const emailHashes = guest.hash === undefined ? [] : [guest.hash];
    await eraseLateSignings(transaction, pool, { emailHashes, waiverIds: [] });
  }
  return { result: { outcome: 'accepted', erasure }, hasMarked: free.length > 0 };
}

async function request(
  context: Pick<StoreContext, 'database' | 'hashEmail' | 'features'>,
  pool: string,
  guest: FoundGuest,
  askedBy: string,
): Promise<ErasureOutcome> {
  const inTransaction = <Result>(work: (transaction: DatabaseTransaction) => Promise<Result>) =>
    retryDeadlock(() => context.database.transaction().execute(work));
  const { result, hasMarked } = await inTransaction((transaction) =>
    beginOrRepeat(transaction, context, pool, guest, askedBy),
  );
  if (result.outcome !== 'accepted' || !hasMarked) return result;
  // Repeated: a record signed while this transaction waited for locks is visible only to the next one.
  let { erasure } = result;
  for (;;) {
    const next = await inTransaction((transaction) => markMore(transaction, guest, erasure));
    if (next === undefined) return { outcome: 'accepted', erasure };
    erasure = next;
  }
}

/**
 * Erasures of guests.
 * @param onRequested called after each request
 */
function createErasures(
  context: Pick<StoreContext, 'database' | 'hashEmail' | 'features'>,
  onRequested: () => void,
) {
  const { database, hashEmail } = context;
  return {
    /**
     * Erases a guest's current records; those on hold are kept and listed. A repeated request returns the erasure of the
     * first one.
     */
    async request(pool: string, guest: GuestReference, askedBy: string): Promise<ErasureOutcome> {
      const normalized = await normalizeGuest(database, hashEmail, pool, guest);
      const result = await request(context, pool, normalized, askedBy);
      onRequested();
      return result;
    },
    get: (pool: string, id: string): Promise<Erasure | undefined> =>
      erasureWhere(database, sql`e.pool = ${pool} and e.id = ${id}`),
    /** Newest first. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<Erasure>> {
      const before = cursor === undefined ? sql`true` : sql`e.id < ${decodeIdCursor(cursor)}`;
      const { rows } = await sql<Erasure>`
select ${columns} from erasure e where e.pool = ${pool} and ${before}
order by e.id desc limit ${limit + 1}::integer`.execute(database);
      return pageById(rows, limit);
    },
    /** All erased records, those of the newest erasure first. @throws MalformedCursor */
    async listWaivers(pool: string, { limit, cursor }: PageRequest): Promise<Page<ErasedWaiver>> {
      const [erasure = '', waiver = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
      // The first condition is redundant, but lets the scan of the erasures' index start at the position.
      const after =
        cursor === undefined ? sql`true` : sql`e.id <= ${erasure} and (e.id, w.id) < (${erasure}, ${waiver})`;
      const { rows } = await sql<ErasedWaiver>`
select w.id, e.id as erasure_id, e.asked_by, e.asked_at, w.erased_at
from erasure e join waiver w on w.erasure = e.id where e.pool = ${pool} and ${after}
order by e.id desc, w.id desc limit ${limit + 1}::integer`.execute(database);
      return pageOf(
        rows,
        limit,
        ({ erasureId, id }) => [erasureId, id],
        (waiver) => waiver,
      );
    },
  };
}

/** Reads the messages to a guest's address: the given one, or the `email` answered in the given record. */
async function exportMessages(
  context: StoreContext,
  pool: string,
  guest: GuestReference,
): Promise<Readonly<Record<string, unknown>>> {
  const { database, hashEmail, features } = context;
  const emails: (string | null)[] = [];
  if ('email' in guest) emails.push(guest.email);
  else {
    const found = await normalizeGuest(database, hashEmail, pool, guest);
    const { rows } = await sql<{ email: string | null }>`
select w.answers::json ->> 'email' as email from (${idsOfGuest(pool, found)}) g
join waiver w on w.pool = ${pool} and w.id = g.id`.execute(database);
    emails.push(...rows.map(({ email }) => email));
  }
  const hashes = emails.flatMap((email) => hashEmail(pool, email) ?? []);
  const messages: Record<string, unknown> = {};
  for (const { personalData } of features)
    Object.assign(messages, await personalData?.exportMessages?.(context, pool, hashes));
  return messages;
}

/** The rights of guests: to get their data, and to have it erased. */
export interface Guests extends ReturnType<typeof createGuests> {}

/** @param onErasure called after each request for an erasure */
function createGuests(context: StoreContext, onErasure: () => void) {
  return {
    erasures: createErasures(context, onErasure),
    /** See {@link exportGuest}. */
    export: (pool: string, guest: GuestReference): AsyncGenerator<ExportedWaiver> =>
      exportGuest(context, pool, guest),
    /** The guest's signings that wait for staff. */
    exportLate(
      pool: string,
      guest: GuestReference,
    ): AsyncGenerator<Pick<LateSigning, 'id' | 'reason' | 'receivedAt'> & { readonly body: string }> {
      const emailHash = 'email' in guest ? context.hashEmail(pool, guest.email) : undefined;
      return exportLateSignings(context, pool, {
        emailHashes: emailHash === undefined ? [] : [emailHash],
        waiverIds: 'waiverId' in guest ? [guest.waiverId] : [],
      });
    },
    /** See {@link exportMessages}. */
    exportMessages: (pool: string, guest: GuestReference) => exportMessages(context, pool, guest),
  };
}

/** The store with the rights of guests. */
export interface GuestStore extends Store {
  readonly guests: Guests;
}
export const GuestStore: ServiceIdentifier<GuestStore> = Symbol('GuestStore');

export function openGuestStore(store: Store): GuestStore {
  return { ...store, guests: createGuests(store.context, store.wake) };
}
