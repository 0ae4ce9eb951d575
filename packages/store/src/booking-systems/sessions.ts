import { randomUUID } from 'node:crypto';
import { type Encryption, locate, milliseconds } from '@waiver-service/database';
import { holdUnauthorized } from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import type { StoreContext } from '../store-context.ts';

const date = z.iso.datetime().transform((text) => new Date(text));

const storedSchema = z.object({
  session: z.object({
    accessToken: z.string(),
    expiresAt: date.optional(),
    refreshToken: z.string().optional(),
    data: z.record(z.string(), z.string()).optional(),
  }),
  issuedAt: date,
  // Identifies the credentials and the address that it was opened with.
  openedWith: z.string(),
});

/** A session as stored. */
export type StoredSession = Readonly<z.output<typeof storedSchema>>;

const encryptSession = (encryption: Encryption, destination: string, session: StoredSession): string =>
  encryption.encrypt(locate(encryptedColumns.session, destination), JSON.stringify(session));

/** @throws CannotDecrypt */
const decryptSession = (encryption: Encryption, destination: string, encrypted: string): StoredSession =>
  storedSchema.parse(
    JSON.parse(encryption.decrypt(locate(encryptedColumns.session, destination), encrypted)),
  );

/*
 * The session of an installation, in a row by its destination:
 *
 *   idle (no `renewing_by`) --begin--> renewing --record--> idle, with a new version
 *                                      renewing --release--> idle, with the former session
 *                                      renewing --lose-----> idle and lost, until `retry_at`
 *   renewing whose lease has run out --begin, by any host--> renewing; the former renewal records nothing any more
 *   lost --record--> not lost;  --retryLost--> lost, but tried at once
 *
 * Newly issued tokens are lost if a renewal ends without a record. A booking system that accepts a refresh token only
 * once then refuses the next renewal, and the installation is recorded as lost.
 */

/** The session of an installation at one moment. */
export interface SessionState {
  /** To begin a renewal with. */
  readonly version: number;
  readonly stored: StoredSession | undefined;
  /** Set if the booking system refuses to renew it. */
  readonly lost: LostAuthorization | undefined;
}

/** An authorization that the booking system does not renew. */
export interface LostAuthorization {
  readonly since: Date;
  /** For the operator. */
  readonly reason: string;
  /** Milliseconds until it may be tried again; 0 if it may be now. */
  readonly retryInMs: number;
}

/** A renewal to begin. */
export interface RenewalRequest {
  readonly destination: string;
  /** Of the {@link SessionState} to renew. */
  readonly version: number;
  /** Milliseconds after which another host may take over. */
  readonly leaseMs: number;
}

/** A renewal under way. */
export interface Renewal {
  readonly destination: string;
  readonly id: string;
  /** Whether the previous one ended without a record. */
  readonly followsInterrupted: boolean;
}

/** Why the booking system refuses, and when to try again. */
export interface Loss {
  readonly reason: string;
  /** Milliseconds after the first refusal; doubled with each further one. */
  readonly retryAfterMs: number;
  readonly maxRetryAfterMs: number;
}

/** The sessions of installations, encrypted and shared by all hosts. A renewal is made by one host at a time. */
export interface BookingSystemSessions extends ReturnType<typeof createBookingSystemSessions> {}

interface StateRow {
  readonly version: number;
  readonly sessionEncrypted: string | null;
  readonly lostSince: Date | null;
  readonly lostReason: string | null;
  readonly retryInMs: number;
}

/** @param onRegained - called after the commit of a lost installation's new session */
export function createBookingSystemSessions(
  { database, encryption, notifications, report }: StoreContext,
  onRegained: () => void,
) {
  return {
    /** @throws CannotDecrypt */
    async read(destination: string): Promise<SessionState> {
      const { rows } = await sql<StateRow>`
select s.version, s.session_encrypted, s.lost_since, s.lost_reason,
  greatest(coalesce(extract(epoch from s.retry_at - now()), 0), 0)::double precision * 1000 as retry_in_ms
from booking_system_session s where s.destination = ${destination}`.execute(database);
      const [row] = rows;
      if (row === undefined) return { version: 0, stored: undefined, lost: undefined };
      const { version, sessionEncrypted: encrypted, lostSince: since, lostReason: reason } = row;
      return {
        version,
        stored: encrypted === null ? undefined : decryptSession(encryption, destination, encrypted),
        lost: since === null ? undefined : { since, reason: reason ?? '', retryInMs: row.retryInMs },
      };
    },
    /** Undefined if another host is renewing it, there is a newer version, or the installation is gone. */
    async begin({ destination, version, leaseMs }: RenewalRequest): Promise<Renewal | undefined> {
      const id = randomUUID();
      await sql`
insert into booking_system_session (destination)
select d.id from destination d where d.id = ${destination} and d.status <> 'closed'
on conflict do nothing`.execute(database);
      const { rows } = await sql<{ followsInterrupted: boolean }>`
with former as materialized (
  select s.destination, s.renewing_by from booking_system_session s
  where s.destination = ${destination} and s.version = ${version}::integer
    and (s.renewing_by is null or s.renewing_until <= now())
  for update)
update booking_system_session s set renewing_by = ${id}::uuid, renewing_until = now() + ${milliseconds(leaseMs)}
from former f where s.destination = f.destination
returning f.renewing_by is not null as follows_interrupted`.execute(database);
      const [row] = rows;
      return row && { destination, id, ...row };
    },
    /** Records a new session. @returns false if the renewal was taken over, or the installation is gone */
    async record({ destination, id }: Renewal, stored: StoredSession): Promise<boolean> {
      const rows = await database.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ wasLost: boolean; wasRefused: boolean }>`
with former as materialized (
  select s.destination, s.lost_since is not null as was_lost, s.failures > 0 as was_refused
  from booking_system_session s
  where s.destination = ${destination} and s.renewing_by = ${id}::uuid for update),
freed as (${holdUnauthorized(sql`select f.destination, null::timestamptz from former f where f.was_lost`)})
update booking_system_session s set version = s.version + 1,
  session_encrypted = ${encryptSession(encryption, destination, stored)},
  renewing_by = null, renewing_until = null, lost_since = null, lost_reason = null, failures = 0, retry_at = null
from former f where s.destination = f.destination
returning f.was_lost, f.was_refused`.execute(transaction);
        const regained = rows.some(({ wasLost, wasRefused }) => wasLost && wasRefused);
        if (regained) await report(transaction, [{ event: 'destination.recovered', subject: destination }]);
        return rows;
      });
      if (rows[0]?.wasLost) onRegained();
      if (rows.length > 0) notifications.send('recorded_sessions', destination);
      return rows.length > 0;
    },
    /** Ends a renewal without a result. */
    async release({ destination, id }: Renewal): Promise<void> {
      await database
        .updateTable('bookingSystemSession')
        .set({ renewingBy: null, renewingUntil: null })
        .where('destination', '=', destination)
        .where('renewingBy', '=', id)
        .execute();
    },
    /**
     * Records that the booking system refuses: nothing is sent to it until the next try.
     * @returns whether the loss is new
     */
    async lose(
      { destination, id }: Renewal,
      { reason, retryAfterMs, maxRetryAfterMs }: Loss,
    ): Promise<boolean> {
      const wait = milliseconds(retryAfterMs);
      return database.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ isNew: boolean; since: Date }>`
with former as materialized (
  select s.destination, s.lost_since is null as is_new,
    now() + least(${wait} * power(2, least(s.failures, 30)), ${milliseconds(maxRetryAfterMs)}) as retry_at
  from booking_system_session s
  where s.destination = ${destination} and s.renewing_by = ${id}::uuid for update),
held as (${holdUnauthorized(sql`select f.destination, f.retry_at from former f`)})
update booking_system_session s set renewing_by = null, renewing_until = null,
  lost_since = coalesce(s.lost_since, date_trunc('milliseconds', now())), lost_reason = ${reason},
  failures = s.failures + 1, retry_at = f.retry_at
from former f where s.destination = f.destination
returning f.is_new, s.lost_since as since`.execute(transaction);
        const [row] = rows;
        if (row === undefined) return false;
        const { isNew, since } = row;
        const rejected = { event: 'installation.auth_rejected', subject: destination } as const;
        await report(transaction, [{ ...rejected, since, times: isNew ? 1 : 0 }]);
        return isNew;
      });
    },
    /**
     * Calls back with the destination whose session any host has recorded; with undefined if some may have been missed.
     * @returns removes the listener
     */
    onRecorded: (listener: (destination: string | undefined) => void): (() => void) =>
      notifications.listen('recorded_sessions', listener),
  };
}

/** Records that an installation needs an operator's authorization, unless it has one. */
export async function needAuthorization(
  transaction: DatabaseTransaction,
  destination: string,
  reason: string,
): Promise<void> {
  await transaction
    .insertInto('bookingSystemSession')
    .values({ destination, lostSince: sql<Date>`date_trunc('milliseconds', now())`, lostReason: reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Has lost authorizations retried at once, after a change that may have fixed them: of one installation, or of all of a
 * booking system's.
 */
export async function retryLost(
  database: Database,
  { destination, bookingSystem }: { readonly destination?: string; readonly bookingSystem?: string },
): Promise<void> {
  const which: RawBuilder<unknown> =
    destination === undefined
      ? sql`i.booking_system = ${bookingSystem}`
      : sql`i.destination_id = ${destination}`;
  await sql`
with tried as (
  update booking_system_session s set retry_at = null from installation i
  where ${which} and s.destination = i.destination_id and s.lost_since is not null
  returning s.destination)
${holdUnauthorized(sql`select t.destination, null::timestamptz from tried t`)}`.execute(database);
}
