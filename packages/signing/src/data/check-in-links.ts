import {
  currentTime,
  idOfCursor,
  type Page,
  type PageRequest,
  pageById,
  prepared,
} from '@waiver-service/database';
import {
  type DatabaseTransaction,
  findBySecret,
  generateSecret,
  hashSecret,
  type PlacedWaiver,
  type StoreContext,
} from '@waiver-service/store/features';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { poolProof } from './pool-secrets.ts';
import type { OwnTables } from './tables.ts';

/** Where a link leads: to a booking, to one guest of it, or, without a booking, to the pool's desk. */
export interface CheckInPlace {
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
  readonly bookingGuestId: string | null;
}

/** A link to the check-in page, without its token. */
export interface CheckInLink extends CheckInPlace {
  readonly id: string;
  readonly pool: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Null: the day after the booking's last session, wherever that moves. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A new link. */
export interface NewCheckInLink extends CheckInPlace {
  readonly expiresAt: Date | null;
  readonly createdBy: string;
}

/** A link, with the pool data that its page needs. */
export interface UsedCheckInLink extends CheckInLink {
  readonly poolName: string;
  readonly timeZone: string;
}

const columns = sql`l.id, l.pool, l.booking_system, l.booking_id,
  l.booking_guest_id, l.created_by, l.created_at,
  l.expires_at, l.revoked_at`;

/** Thirty days after expiry, while guests may still ask; otherwise two years, as bookings are made that far ahead. */
const pruneAt = (expiresAt: Date | null) =>
  sql`coalesce(${expiresAt}::timestamptz + interval '30 days', now() + interval '2 years')`;

/** The links by which guests reach the check-in page. Tokens are stored as hashes. */
export function createCheckInLinks(context: StoreContext) {
  const { database } = context;

  /** The token derived from a place: always the same; undefined if its link was revoked. */
  async function derived(
    place: readonly string[],
    {
      pool,
      bookingSystem,
      bookingId,
      bookingGuestId,
      createdBy,
    }: BookingKey & Pick<NewCheckInLink, 'bookingGuestId' | 'createdBy'>,
  ): Promise<string | undefined> {
    const token = `wsg_${await poolProof(context, pool, JSON.stringify(place))}`;
    const { rows } = await sql<{ isRevoked: boolean }>`
with made as (
  insert into check_in_link (id, pool, hash, booking_system, booking_id, booking_guest_id, created_by, prune_at)
  values (${uuidv7()}, ${pool}, ${hashSecret(token)}, ${bookingSystem}, ${bookingId}, ${bookingGuestId}, ${createdBy},
    ${pruneAt(null)})
  on conflict (hash) do nothing returning false as is_revoked)
select is_revoked from made
union all select revoked_at is not null from check_in_link where hash = ${hashSecret(token)}`.execute(
      database,
    );
    return rows.some(({ isRevoked }) => isRevoked) ? undefined : token;
  }

  return {
    /** `token` cannot be read again. Rejects for an unknown pool. */
    async create(
      pool: string,
      { bookingSystem, bookingId, bookingGuestId, expiresAt, createdBy }: NewCheckInLink,
    ): Promise<{ link: CheckInLink; token: string }> {
      const { secret, hash } = generateSecret('wsg');
      const { rows } = await sql<CheckInLink>`
insert into check_in_link as l (id, pool, hash, booking_system, booking_id, booking_guest_id, created_by, expires_at, prune_at)
values (${uuidv7()}, ${pool}, ${hash}, ${bookingSystem}, ${bookingId}, ${bookingGuestId}, ${createdBy}, ${expiresAt},
  ${pruneAt(expiresAt)})
returning ${columns}`.execute(database);
      const [link] = rows;
      if (link === undefined) throw new Error('the check-in link was not stored');
      return { link, token: secret };
    },
    /**
     * The token of the link that a booking system gets for its booking: always the same; undefined if it was revoked.
     * @param destination of the installation: a later installation gets other links
     */
    ofBooking: (booking: BookingKey, destination: string): Promise<string | undefined> =>
      derived([destination, booking.bookingId], {
        ...booking,
        bookingGuestId: null,
        createdBy: `booking-system:${booking.bookingSystem}`,
      }),
    /** The same for one guest of the booking, who gets the link by e-mail. */
    ofGuest: (
      booking: BookingKey,
      bookingGuestId: string,
      destination: string,
    ): Promise<string | undefined> =>
      derived([destination, booking.bookingId, bookingGuestId], {
        ...booking,
        bookingGuestId,
        createdBy: 'invitations',
      }),
    /** An HMAC with the pool's secret, to prove that this service wrote `text` into a message of the pool. */
    proofOf: (pool: string, text: string): Promise<string> => poolProof(context, pool, text),
    /** The link of a token, even if revoked or expired. */
    async find(token: string): Promise<UsedCheckInLink | undefined> {
      return findBySecret(
        database,
        token,
        (hash) => sql<UsedCheckInLink & { readonly hash: Buffer }>`${prepared}
select ${columns}, l.hash, p.name as pool_name, p.time_zone from check_in_link l join pool p on p.id = l.pool
where l.hash = ${hash}`,
      );
    },
    /** Oldest first. @throws MalformedCursor */
    async list(
      pool: string,
      {
        limit,
        cursor,
        bookingId,
        desk = false,
      }: PageRequest & { readonly bookingId?: string | undefined; readonly desk?: boolean },
    ): Promise<Page<CheckInLink>> {
      const ofBooking = bookingId === undefined ? sql`true` : sql`l.booking_id = ${bookingId}`;
      const ofDesk = desk ? sql`l.booking_id is null` : sql`true`;
      const { rows } = await sql<CheckInLink>`
select ${columns} from check_in_link l where l.pool = ${pool} and l.id > ${idOfCursor(cursor)} and ${ofBooking} and ${ofDesk}
order by l.id limit ${limit + 1}`.execute(database);
      return pageById(rows, limit);
    },
    /** @returns false if the pool has no such link */
    async revoke(pool: string, id: string): Promise<boolean> {
      const { numUpdatedRows } = await database
        .withTables<OwnTables>()
        .updateTable('checkInLink')
        .set({ revokedAt: sql<Date>`coalesce(revoked_at, date_trunc('milliseconds', now()))` })
        .where('pool', '=', pool)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

/** Revokes the links of a booking system that is uninstalled. */
export async function revokeLinksOf(
  transaction: DatabaseTransaction,
  { pool, bookingSystem }: Pick<BookingKey, 'pool' | 'bookingSystem'>,
): Promise<void> {
  await transaction
    .withTables<OwnTables>()
    .updateTable('checkInLink')
    .set({ revokedAt: currentTime })
    .where('pool', '=', pool)
    .where('bookingSystem', '=', bookingSystem)
    .where('revokedAt', 'is', null)
    .execute();
}

/** Revokes the links of a guest whose waiver was voided: signing again takes a new link. */
export async function revokeGuestLinks(
  { database }: Pick<StoreContext, 'database'>,
  { pool, bookingSystem, bookingId, bookingGuestId }: PlacedWaiver & { readonly pool: string },
): Promise<void> {
  if (bookingGuestId === null) return;
  await database
    .withTables<OwnTables>()
    .updateTable('checkInLink')
    .set({ revokedAt: currentTime })
    .where('pool', '=', pool)
    .where('bookingId', '=', bookingId)
    .where('bookingSystem', '=', bookingSystem)
    .where('bookingGuestId', '=', bookingGuestId)
    .where('revokedAt', 'is', null)
    .execute();
}
