import { milliseconds } from '@waiver-service/database';
import { openDestination } from '@waiver-service/outbox';
import type { GuestMail } from '@waiver-service/signing/data';
import type { Database, DatabaseTransaction } from '@waiver-service/store/features';
import { sql } from 'kysely';
import type { OwnTables } from './tables.ts';

/** How a pool invites its guests. */
export interface InvitationSettings {
  readonly enabled: boolean;
  /** JSON; null if it was never set. */
  readonly content: string | null;
  readonly updatedAt: Date;
}

const columns = sql`enabled, content, updated_at`;

/** The settings of a pool; undefined if it never had any. */
export async function readInvitationSettings(
  database: Database,
  pool: string,
): Promise<InvitationSettings | undefined> {
  const { rows } = await sql<InvitationSettings>`
select ${columns} from invitation_settings where pool = ${pool}`.execute(database);
  return rows[0];
}

/** The destination of a pool's e-mail, created on first use and locked (shared), so that it stays. */
export async function destinationOf(transaction: DatabaseTransaction, pool: string): Promise<string> {
  const read = () =>
    sql<{ id: string }>`
select destination_id as id from invitation_settings where pool = ${pool} for key share`.execute(transaction);
  const known = (await read()).rows[0];
  if (known !== undefined) return known.id;
  await sql`select from pool where id = ${pool} for no key update`.execute(transaction);
  const made = (await read()).rows[0];
  if (made !== undefined) return made.id;
  const id = await openDestination(transaction, { pool, kind: 'invitation' });
  await transaction
    .withTables<OwnTables>()
    .insertInto('invitationSettings')
    .values({ pool, destinationId: id })
    .execute();
  return id;
}

/**
 * Stores a pool's settings and has its bookings examined at once; when invitations are switched on again, including
 * those planned before they were switched off.
 */
export function putInvitationSettings(
  database: Database,
  pool: string,
  { enabled, content }: { readonly enabled: boolean; readonly content: string },
): Promise<InvitationSettings> {
  return database.transaction().execute(async (transaction) => {
    await destinationOf(transaction, pool);
    const former = await sql<{ enabled: boolean }>`
select enabled from invitation_settings where pool = ${pool} for no key update`.execute(transaction);
    if (enabled && former.rows[0]?.enabled === false)
      await transaction
        .withTables<OwnTables>()
        .deleteFrom('invitationPlan')
        .where('pool', '=', pool)
        .execute();
    const { rows } = await sql<InvitationSettings>`
update invitation_settings set enabled = ${enabled}, content = ${content}, due_at = now(),
  updated_at = date_trunc('milliseconds', now())
where pool = ${pool} returning ${columns}`.execute(transaction);
    if (rows[0] === undefined) throw new Error(`the invitation settings of pool ${pool} were not stored`);
    return rows[0];
  });
}

/** Claims pools that invite and whose bookings are due to be examined, each for `leaseMs`. */
export async function claimInvitingPools(
  database: Database,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ pool: string }>`
with due as materialized (
  select pool from invitation_settings where enabled and due_at <= now()
  order by due_at limit ${limit}::integer for update skip locked)
update invitation_settings s set due_at = now() + ${milliseconds(leaseMs)}
from due where s.pool = due.pool returning s.pool`.execute(database);
  return rows.map(({ pool }) => pool);
}

/** Ends the lease of a pool, which is due again after `waitMs`. */
export async function finishInvitingPool(database: Database, pool: string, waitMs: number): Promise<void> {
  await database
    .withTables<OwnTables>()
    .updateTable('invitationSettings')
    .set({ dueAt: sql<Date>`now() + ${milliseconds(waitMs)}` })
    .where('pool', '=', pool)
    .execute();
}

/** Whether to ask a booking system for the coming days' bookings now; if true, not again for `waitMs`. */
export async function claimInvitationListing(
  database: Database,
  { pool, bookingSystem }: { readonly pool: string; readonly bookingSystem: string },
  waitMs: number,
): Promise<boolean> {
  const { rows } = await sql`
insert into invitation_listing as l (pool, booking_system, due_at)
values (${pool}, ${bookingSystem}, now() + ${milliseconds(waitMs)})
on conflict (pool, booking_system) do update set due_at = excluded.due_at where l.due_at <= now()
returning 1`.execute(database);
  return rows.length > 0;
}

/** Has copies of what was signed sent as invitations are. */
export const guestMail: GuestMail = {
  destinationOf,
  isRefused: (pool, address) =>
    sql`exists (select from invitation_refusal r where r.pool = ${pool} and r.address = ${address})`,
};
