import { randomInt } from 'node:crypto';
import type { Kiosk } from '@waiver-service/api';
import { currentTime, idOfCursor, type Page, type PageRequest, pageById } from '@waiver-service/database';
import type { UsedKiosk } from '@waiver-service/signing';
import type { SigningStore } from '@waiver-service/signing/data';
import { findBySecret, generateSecret, hashSecret } from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { KioskContext, OwnTables } from './tables.ts';

/*
 * A kiosk:
 *
 *   unpaired ── a tablet brings the code within ten minutes ──▶ paired ── an operator revokes it ──▶ revoked
 *       ▲                                                         │
 *       └───────────── an operator makes a new code ──────────────┘   (the former tablet works until it is used)
 */

/** A tablet on which guests sign, one after the other. */
export interface StoredKiosk extends Kiosk {
  readonly pool: string;
}

/** The settings of a kiosk. */
interface KioskSettings {
  readonly name: string;
  readonly pinVerifier: string;
  readonly returnAfterS: number;
}

/** A code to pair a tablet with. It cannot be read again. */
interface PairingCode {
  readonly code: string;
  readonly expiresAt: Date;
}

const maxPerPool = 100;
const codeMinutes = 10;
/** Without letters and digits that look alike. */
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 8;

const columns = sql`k.id, k.pool, k.name, k.return_after_s, k.created_by,
  k.created_at, k.paired_at, k.last_seen_at, k.waiting,
  k.waiting_since`;

/** People may type it in any case, with or without a dash. */
const normalizedCode = (code: string) => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

function generateCode(): string {
  const letters = Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]);
  return letters.join('').replace(/^.{4}/, '$&-');
}

/** Kiosks. Codes and credentials are stored as hashes. */
function createKiosks({ database }: KioskContext) {
  async function storeCode(kiosk: string): Promise<PairingCode> {
    const code = generateCode();
    const { rows } = await sql<{ expiresAt: Date }>`
insert into kiosk_code (kiosk, hash, expires_at)
values (${kiosk}, ${hashSecret(normalizedCode(code))},
  date_trunc('milliseconds', now() + ${codeMinutes}::integer * interval '1 minute'))
on conflict (kiosk) do update set hash = excluded.hash, expires_at = excluded.expires_at
returning expires_at`.execute(database);
    const [stored] = rows;
    if (stored === undefined) throw new Error('the pairing code was not stored');
    return { code, expiresAt: stored.expiresAt };
  }

  return {
    /** Rejects for an unknown pool. @returns undefined if it has the maximum number of kiosks */
    async create(
      pool: string,
      { name, pinVerifier, returnAfterS, createdBy }: KioskSettings & { readonly createdBy: string },
    ): Promise<(PairingCode & { readonly id: string }) | undefined> {
      const id = uuidv7();
      const { rows } = await sql`
insert into kiosk (id, pool, name, pin_verifier, return_after_s, created_by)
select ${id}, ${pool}, ${name}, ${pinVerifier}, ${returnAfterS}::integer, ${createdBy}
where (select count(*) from kiosk k where k.pool = ${pool} and k.revoked_at is null) < ${maxPerPool}::integer
returning id`.execute(database);
      if (rows.length === 0) return undefined;
      return { id, ...(await storeCode(id)) };
    },
    /** Oldest first, without revoked ones. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<StoredKiosk>> {
      const { rows } = await sql<StoredKiosk>`
select ${columns} from kiosk k where k.pool = ${pool} and k.revoked_at is null and k.id > ${idOfCursor(cursor)}
order by k.id limit ${limit + 1}`.execute(database);
      return pageById(rows, limit);
    },
    /** @returns undefined if the pool has no such kiosk */
    async change(
      pool: string,
      id: string,
      { name, pinVerifier, returnAfterS }: Partial<KioskSettings>,
    ): Promise<StoredKiosk | undefined> {
      const { rows } = await sql<StoredKiosk>`
update kiosk k set name = coalesce(${name ?? null}, k.name),
  pin_verifier = coalesce(${pinVerifier ?? null}, k.pin_verifier),
  return_after_s = coalesce(${returnAfterS ?? null}::integer, k.return_after_s)
where k.pool = ${pool} and k.id = ${id} and k.revoked_at is null returning ${columns}`.execute(database);
      return rows[0];
    },
    /** A new code, which replaces the previous one. @returns undefined if the pool has no such kiosk */
    async newCode(pool: string, id: string): Promise<PairingCode | undefined> {
      const { rows } = await sql`
select from kiosk where pool = ${pool} and id = ${id} and revoked_at is null`.execute(database);
      return rows.length === 0 ? undefined : storeCode(id);
    },
    /** Uses a code up. @returns the credential; undefined if the code is unknown or expired */
    async pair(code: string): Promise<string | undefined> {
      const { secret, hash } = generateSecret('wsk');
      const { rows } = await sql`
with used as (
  delete from kiosk_code where hash = ${hashSecret(normalizedCode(code))} returning kiosk, expires_at)
update kiosk k set hash = ${hash}, paired_at = ${currentTime}, last_seen_at = ${currentTime}, waiting = 0,
  waiting_since = null
from used u where k.id = u.kiosk and u.expires_at > now() and k.revoked_at is null returning k.id`.execute(
        database,
      );
      return rows.length === 0 ? undefined : secret;
    },
    /** The kiosk of a credential, even if revoked. */
    async find(token: string): Promise<UsedKiosk | undefined> {
      return findBySecret(
        database,
        token,
        (hash) => sql<UsedKiosk & { readonly hash: Buffer }>`
select ${columns}, k.hash, k.pin_verifier, k.revoked_at, p.name as pool_name,
  p.time_zone
from kiosk k join pool p on p.id = k.pool where k.hash = ${hash}`,
      );
    },
    /** Records that a kiosk called, and how many signings wait on it. */
    async recordSeen(
      id: string,
      { waiting, waitingSince }: Pick<Kiosk, 'waiting' | 'waitingSince'>,
    ): Promise<void> {
      const since = waitingSince && sql<Date>`least(${waitingSince}::timestamptz, ${currentTime})`;
      await database
        .updateTable('kiosk')
        .set({ lastSeenAt: currentTime, waiting, waitingSince: since })
        .where('id', '=', id)
        .execute();
    },
    /** @returns false if the pool has no such kiosk */
    async revoke(pool: string, id: string): Promise<boolean> {
      const { numUpdatedRows } = await database
        .updateTable('kiosk')
        .set({ revokedAt: currentTime })
        .where('pool', '=', pool)
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

/** The store with kiosks. */
export interface KioskStore extends SigningStore {
  readonly kiosks: ReturnType<typeof createKiosks>;
}
export const KioskStore: ServiceIdentifier<KioskStore> = Symbol('KioskStore');

export function openKioskStore(store: SigningStore): KioskStore {
  const context = { ...store.context, database: store.context.database.withTables<OwnTables>() };
  return { ...store, kiosks: createKiosks(context) };
}
