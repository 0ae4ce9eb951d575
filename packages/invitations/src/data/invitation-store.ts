import type { InvitationRefusal } from '@waiver-service/api';
import {
  decodeCursor,
  decodeIdCursor,
  decodeTime,
  locate,
  MalformedCursor,
  type Page,
  type PageRequest,
  pageById,
  pageOf,
} from '@waiver-service/database';
import type { SigningStore } from '@waiver-service/signing/data';
import type { Database, StoreContext } from '@waiver-service/store/features';
import type { BookingKey } from '@waiver-service/waivers';
import type { ServiceIdentifier } from 'inversify';
import { type RawBuilder, sql } from 'kysely';
import type { Invitation, InvitationState } from './invitation.ts';
import { type InvitationPlan, listPlannable, listUninvited, putPlan } from './invitation-plans.ts';
import {
  claimInvitationListing,
  claimInvitingPools,
  finishInvitingPool,
  putInvitationSettings,
  readInvitationSettings,
} from './invitation-settings.ts';
import { hashOfGuest } from './invitations-data.ts';
import { type NewInvitations, type PlannedInvitation, planInvitations } from './plan-invitations.ts';
import { encryptedColumns, type OwnTables } from './tables.ts';

/** An address to remember; `id` as in {@link InvitationRefusal}. */
interface NewRefusal extends Omit<InvitationRefusal, 'at'> {
  readonly pool: string;
}

const bytesOf = (id: string) => Buffer.from(id, 'base64url');

/** Remembers an address. An unsubscription is not overwritten. */
async function addRefusal(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  { pool, id, email, reason, reply }: NewRefusal,
): Promise<void> {
  const sealed =
    email === null ? null : encryption.encrypt(locate(encryptedColumns.refusedAddress, pool, id), email);
  await sql`
insert into invitation_refusal as r (pool, address, address_encrypted, reason, reply)
values (${pool}, ${bytesOf(id)}, ${sealed}, ${reason}, ${reply})
on conflict (pool, address) do update set reason = excluded.reason, reply = excluded.reply,
  address_encrypted = coalesce(excluded.address_encrypted, r.address_encrypted), at = excluded.at
where r.reason = 'refused'`.execute(database);
}

/** Forgets an address. @returns false if it was not remembered */
async function removeRefusal(database: Database, pool: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .withTables<OwnTables>()
    .deleteFrom('invitationRefusal')
    .where('pool', '=', pool)
    .where('address', '=', bytesOf(id))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Why an address is sent nothing; undefined if it may be. */
async function refusalOf(
  database: Database,
  pool: string,
  address: Buffer,
): Promise<InvitationRefusal['reason'] | undefined> {
  const row = await database
    .withTables<OwnTables>()
    .selectFrom('invitationRefusal')
    .select('reason')
    .where('pool', '=', pool)
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.reason;
}

/** Newest first. @throws MalformedCursor */
async function listRefusals(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  pool: string,
  { limit, cursor }: PageRequest,
): Promise<Page<InvitationRefusal>> {
  const [at = '', address = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
  if (!/^[A-Za-z0-9_-]*$/.test(address)) throw new MalformedCursor();
  const position =
    cursor === undefined ? sql`true` : sql`(at, address) < (${decodeTime(at)}, ${bytesOf(address)})`;
  const rows = await database
    .withTables<OwnTables>()
    .selectFrom('invitationRefusal')
    .select(['address', 'addressEncrypted as sealed', 'reason', 'reply', 'at'])
    .where('pool', '=', pool)
    .where(sql<boolean>`${position}`)
    .orderBy('at', 'desc')
    .orderBy('address', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows,
    limit,
    (row) => [row.at.toISOString(), row.address.toString('base64url')],
    ({ address: bytes, sealed, ...row }) => {
      const id = bytes.toString('base64url');
      const location = locate(encryptedColumns.refusedAddress, pool, id);
      return { id, email: sealed === null ? null : encryption.decrypt(location, sealed), ...row };
    },
  );
}

interface Row extends Omit<Invitation, 'email'> {
  readonly sealed: string;
}

const columns = sql`i.id, i.pool, i.booking_system, i.booking_id, i.occasion,
  i.day, i.address_encrypted as sealed, i.guests, i.state, i.reason, i.created_by,
  i.created_at, i.ended_at,
  i.state = 'waiting' and exists (
    select from ended e where e.id = i.id::uuid and e.pool = i.pool and e.state = 'dead') as is_given_up`;

/** The erased guests of a booking. */
interface ErasedOfBooking {
  isErased(guest: { readonly email?: string | undefined; readonly id?: string | undefined }): boolean;
}

/** E-mail to guests, and what became of it. */
interface Invitations extends ReturnType<typeof createInvitations> {}

/** @param onEnqueued called after the commit of messages to send */
function createInvitations(context: StoreContext, onEnqueued: () => void) {
  const { database, encryption, hashEmail } = context;
  const invitationOf = ({ sealed, ...row }: Row): Invitation => ({
    ...row,
    email: encryption.decrypt(locate(encryptedColumns.invitationAddress, row.id), sealed),
  });
  const readWhere = async (condition: RawBuilder<unknown>): Promise<Invitation[]> => {
    const { rows } = await sql<Row>`select ${columns} from invitation i where ${condition}`.execute(database);
    return rows.map(invitationOf);
  };

  function announce(planned: readonly PlannedInvitation[]): readonly PlannedInvitation[] {
    if (planned.some(({ outcome }) => outcome === 'enqueued')) onEnqueued();
    return planned;
  }

  return {
    settings: readInvitationSettings.bind(undefined, database),
    putSettings: putInvitationSettings.bind(undefined, database),
    claimPools: claimInvitingPools.bind(undefined, database),
    finishPool: finishInvitingPool.bind(undefined, database),
    claimListing: claimInvitationListing.bind(undefined, database),
    listPlannable: listPlannable.bind(undefined, database),
    listUninvited: listUninvited.bind(undefined, database),

    /** See {@link planInvitations}; also records the plan, in the same transaction. */
    async plan(
      { fetchedAt, retryAt, problem, ...plan }: InvitationPlan,
      invitations: Pick<NewInvitations, 'recipients' | 'createdBy'>,
    ): Promise<readonly PlannedInvitation[]> {
      const planned = await database.transaction().execute(async (transaction) => {
        const done = await planInvitations(transaction, context, { ...plan, ...invitations });
        await putPlan(transaction, { ...plan, fetchedAt, retryAt, problem });
        return done;
      });
      return announce(planned);
    },

    /** Stores messages that staff send. See {@link planInvitations}. */
    async send(invitations: NewInvitations): Promise<readonly PlannedInvitation[]> {
      const planned = await database
        .transaction()
        .execute((transaction) => planInvitations(transaction, context, invitations));
      return announce(planned);
    },

    /** Undefined if it was erased or removed. */
    async get(id: string): Promise<Invitation | undefined> {
      return (await readWhere(sql`i.id = ${id}`))[0];
    },

    /** Moves a message to another state if it is in one of `from`. @returns whether it was */
    async move(
      { id }: Pick<Invitation, 'id' | 'pool'>,
      from: readonly InvitationState[],
      { state, reason = null }: { readonly state: InvitationState; readonly reason?: string | null },
    ): Promise<boolean> {
      const isEnd = state !== 'waiting' && state !== 'handing-over';
      const { numAffectedRows } = await sql`
update invitation set state = ${state}, reason = ${reason},
  ended_at = case when ${isEnd} then date_trunc('milliseconds', now()) end
where id = ${id} and state = any (${[...from]}::text[])`.execute(database);
      return numAffectedRows === 1n;
    },

    /** Newest first; of one booking if given. @throws MalformedCursor */
    async list(
      pool: string,
      { limit, cursor, bookingId }: PageRequest & { readonly bookingId?: string | undefined },
    ): Promise<Page<Invitation>> {
      const before = cursor === undefined ? sql`true` : sql`i.id < ${decodeIdCursor(cursor)}`;
      const ofBooking = bookingId === undefined ? sql`true` : sql`i.booking_id = ${bookingId}`;
      const rows = await readWhere(
        sql`i.pool = ${pool} and ${before} and ${ofBooking} order by i.id desc limit ${limit + 1}::integer`,
      );
      return pageById(rows, limit);
    },

    /** The keyed hash of an address, in base64url, by which a pool remembers it. */
    addressId: (pool: string, email: string): string => hashEmail(pool, email)?.toString('base64url') ?? '',

    /** Which guests of a booking were erased: they get no messages, and no one else is asked to have them sign. */
    async erasedOf({ pool, bookingSystem, bookingId }: BookingKey): Promise<ErasedOfBooking> {
      const rows = await database
        .withTables<OwnTables>()
        .selectFrom('invitationBlock')
        .select('guest')
        .where('pool', '=', pool)
        .where('bookingSystem', '=', bookingSystem)
        .where('bookingId', '=', bookingId)
        .execute();
      const erased = new Set(rows.map(({ guest }) => guest.toString('hex')));
      const has = (hash: Buffer | undefined) => hash !== undefined && erased.has(hash.toString('hex'));
      return {
        isErased: ({ email, id }) =>
          erased.size > 0 &&
          (has(hashEmail(pool, email)) || (id !== undefined && has(hashOfGuest(hashEmail, pool, id)))),
      };
    },

    /** The address with this `addressId`, from its latest message; undefined if unknown. */
    async emailOf(pool: string, addressId: string): Promise<string | undefined> {
      const address = Buffer.from(addressId, 'base64url');
      const rows = await readWhere(
        sql`i.pool = ${pool} and i.address = ${address} order by i.id desc limit 1`,
      );
      return rows[0]?.email;
    },

    /** The hosts' public base URL; undefined until a host that serves HTTP has set it. */
    async baseUrl(): Promise<string | undefined> {
      const row = await database.selectFrom('inboundBaseUrl').select('baseUrl').executeTakeFirst();
      return row?.baseUrl;
    },

    refusal: (pool: string, email: string) =>
      refusalOf(database, pool, hashEmail(pool, email) ?? Buffer.alloc(0)),
    addRefusal: addRefusal.bind(undefined, context),
    listRefusals: listRefusals.bind(undefined, context),
    removeRefusal: removeRefusal.bind(undefined, database),
  };
}

/** The store with mail to guests. */
export interface InvitationStore extends SigningStore {
  readonly invitations: Invitations;
}
export const InvitationStore: ServiceIdentifier<InvitationStore> = Symbol('InvitationStore');

export function openInvitationStore(store: SigningStore): InvitationStore {
  const { context } = store;
  return {
    ...store,
    invitations: createInvitations(context, () => context.notifications.announce('outbox')),
  };
}
