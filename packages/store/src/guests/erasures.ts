import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { decodeCursor, decodeIdCursor, pageById, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { eraseBookingsNaming } from './erase-bookings.ts';
import { type FoundGuest, type GuestReference, isOfGuest, normalizeGuest } from './find-guest.ts';

/*
 * An erasure goes through two states:
 *
 *   telling ── every message has ended, or seven days are over, and all is gone ──▶ done
 *
 * The request marks the records (`waiver.erasure`): from its commit on they are gone for everyone. The job does the
 * rest (see `erasure-job.ts`), on whatever host, and goes on where another one was killed.
 */

/** How long notifying destinations is tried, at most. */
const maxTellingMs = 7 * 86_400_000;

/** The maximum number of records that one request erases. */
export const maxErasedWaivers = 10_000;

/** The maximum number of records with a hold that an erasure names. */
const maxNamedHeld = 100;

/** The progress of an erasure. */
export interface Erasure {
  readonly id: string;
  readonly pool: string;
  /** `telling` until nothing of the guest is left. */
  readonly state: 'telling' | 'done';
  /** The number of records. */
  readonly waivers: number;
  /** Records of the guest that a hold keeps; a hundred at most. */
  readonly heldWaivers: readonly string[];
  readonly askedBy: string;
  readonly askedAt: Date;
  /** When the rest is erased although a destination does not accept its message. */
  readonly giveUpAt: Date;
  readonly doneAt: Date | null;
}

/** The tombstone of an erased record: all that is left of it. */
export interface ErasedWaiver {
  readonly id: string;
  /** The erasure that it went with. */
  readonly erasureId: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  /** When its data was erased; null for the moment until then. It cannot be read from `askedAt` on. */
  readonly erasedAt: Date | null;
}

/** The result of asking for an erasure. */
export type ErasureOutcome =
  | { readonly outcome: 'accepted'; readonly erasure: Erasure }
  | { readonly outcome: 'not-found' }
  /** Each of the guest's records is kept by a hold. */
  | { readonly outcome: 'held'; readonly heldWaivers: readonly string[] }
  | { readonly outcome: 'too-many' };

/** Erasures of guests. */
export interface Erasures {
  /**
   * Erases the records that a guest has now; those with a hold are kept and named. A repeated request gets the erasure
   * of the first one.
   */
  request(pool: string, guest: GuestReference, askedBy: string): Promise<ErasureOutcome>;
  get(pool: string, id: string): Promise<Erasure | undefined>;
  /** Newest first. @throws MalformedCursor */
  list(pool: string, page: PageRequest): Promise<Page<Erasure>>;
  /** The erased records of all erasures, those of the newest erasure first. @throws MalformedCursor */
  listWaivers(pool: string, page: PageRequest): Promise<Page<ErasedWaiver>>;
  /** Whether a record was erased, or is being. */
  isErased(pool: string, waiverId: string): Promise<boolean>;
}

const columns = sql`e.id, e.pool, e.state, e.waivers, e.held_waivers as "heldWaivers", e.asked_by as "askedBy",
  e.asked_at as "askedAt", e.give_up_at as "giveUpAt", e.done_at as "doneAt"`;

async function erasureWhere(
  database: Database,
  condition: RawBuilder<boolean>,
): Promise<Erasure | undefined> {
  const { rows } = await sql<Erasure>`
select ${columns} from erasure e where ${condition} order by e.id desc limit 1`.execute(database);
  return rows[0];
}

const emailHash = (pool: string, email: string) => hash('sha256', JSON.stringify([pool, email]), 'buffer');

/** The erasure that a request repeats. */
function repeatedErasure(database: Database, pool: string, guest: FoundGuest): Promise<Erasure | undefined> {
  return erasureWhere(
    database,
    'waiverId' in guest
      ? sql`e.id = (select w.erasure from waiver w where w.pool = ${pool} and w.id = ${guest.waiverId})`
      : sql`e.pool = ${pool} and e.state = 'telling' and e.email_hash = ${emailHash(pool, guest.email)}`,
  );
}

interface FoundWaiver {
  readonly id: string;
  readonly isHeld: boolean;
}

/** Stores an erasure, and marks its records. */
async function begin(
  transaction: DatabaseTransaction,
  pool: string,
  guest: FoundGuest,
  { askedBy, free, held }: { askedBy: string; free: readonly string[]; held: readonly string[] },
): Promise<Erasure> {
  const id = uuidv7();
  const email = 'email' in guest ? emailHash(pool, guest.email) : null;
  const { rows } = await sql<Erasure>`
insert into erasure as e (id, pool, email_hash, waivers, held_waivers, asked_by, give_up_at)
values (${id}, ${pool}, ${email}, ${free.length}::integer, ${held.slice(0, maxNamedHeld)}::text[], ${askedBy},
  date_trunc('milliseconds', now()) + ${maxTellingMs}::double precision * interval '1 millisecond')
returning ${columns}`.execute(transaction);
  await sql`
update waiver set erasure = ${id} where pool = ${pool} and id = any (${[...free]}::text[])`.execute(
    transaction,
  );
  const [erasure] = rows;
  if (erasure === undefined) throw new Error('the erasure was not stored');
  return erasure;
}

async function request(
  database: Database,
  pool: string,
  guest: FoundGuest,
  askedBy: string,
): Promise<ErasureOutcome> {
  return database.transaction().execute(async (transaction): Promise<ErasureOutcome> => {
    const { rows: found } = await sql<FoundWaiver>`
select w.id, w.hold_reason is not null as "isHeld" from waiver w where ${isOfGuest(pool, guest)}
order by w.id limit ${maxErasedWaivers + 1}::integer for update of w`.execute(transaction);
    const held = found.filter(({ isHeld }) => isHeld).map(({ id }) => id);
    const free = found.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
    if (found.length > maxErasedWaivers) return { outcome: 'too-many' };
    const repeated = free.length === 0 ? await repeatedErasure(transaction, pool, guest) : undefined;
    if (free.length === 0 && repeated === undefined) {
      if (held.length > 0) return { outcome: 'held', heldWaivers: held.slice(0, maxNamedHeld) };
      if ('waiverId' in guest) return { outcome: 'not-found' };
    }
    const erasure = repeated ?? (await begin(transaction, pool, guest, { askedBy, free, held }));
    // Also what no record of the guest leads to: the person who booked need not have signed. Repeated, bookings read
    // since.
    if ('email' in guest) await eraseBookingsNaming(transaction, pool, [guest.email]);
    return { outcome: 'accepted', erasure };
  });
}

/**
 * Creates the part of the store for erasures.
 *
 * @param onRequested called after a request was stored.
 */
export function createErasures(database: Database, onRequested: () => void): Erasures {
  return {
    async request(pool, guest, askedBy) {
      const normalized = await normalizeGuest(database, guest);
      const result = await retryDeadlock(() => request(database, pool, normalized, askedBy));
      onRequested();
      return result;
    },
    get: (pool, id) => erasureWhere(database, sql`e.pool = ${pool} and e.id = ${id}`),
    async list(pool, { limit, cursor }) {
      const before = cursor === undefined ? sql`true` : sql`e.id < ${decodeIdCursor(cursor)}`;
      const { rows } = await sql<Erasure>`
select ${columns} from erasure e where e.pool = ${pool} and ${before}
order by e.id desc limit ${limit + 1}::integer`.execute(database);
      return pageById(rows, limit);
    },
    async listWaivers(pool, { limit, cursor }) {
      const [erasure = '', waiver = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
      // Twice, so that the index of erasures begins at the position.
      const after =
        cursor === undefined ? sql`true` : sql`e.id <= ${erasure} and (e.id, w.id) < (${erasure}, ${waiver})`;
      const { rows } = await sql<ErasedWaiver>`
select w.id, e.id as "erasureId", e.asked_by as "askedBy", e.asked_at as "askedAt", w.erased_at as "erasedAt"
from erasure e join waiver w on w.erasure = e.id where e.pool = ${pool} and ${after}
order by e.id desc, w.id desc limit ${limit + 1}::integer`.execute(database);
      return pageOf(
        rows,
        limit,
        ({ erasureId, id }) => [erasureId, id],
        (waiver) => waiver,
      );
    },
    async isErased(pool, waiverId) {
      const { rows } = await sql`
select from waiver where pool = ${pool} and id = ${waiverId} and erasure is not null`.execute(database);
      return rows.length > 0;
    },
  };
}
