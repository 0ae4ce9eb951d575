import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database/database.ts';
import type { StoreContext } from '../store-context.ts';
import type { Credential } from './credentials.ts';
import { isSameHash } from './key-info.ts';
import { generateSecret, hashSecret } from './secret.ts';

/** Whose a session is: a credential's, or null for the admin token's. */
export type SessionOwner = Pick<Credential, 'id' | 'name' | 'role' | 'pools'> | null;

const hourMs = 3_600_000;
/** How long a session lasts at most, however much it is used. */
export const maxSessionMs = 7 * 24 * hourMs;
/** A session that was not used for so long has ended. */
const idleMs = 8 * hourMs;

/** The sessions of people who have signed in to the console, and the codes of links that sign in. */
export interface PersonSessions {
  /** @returns the session's secret, which cannot be read again; undefined if the credential has ended meanwhile */
  start(credential: string | null): Promise<string | undefined>;
  /** Whose session it is; undefined if it has ended, or its credential has. */
  find(secret: string): Promise<{ readonly owner: SessionOwner } | undefined>;
  /** Those of some sessions that have not ended. Unlike {@link PersonSessions.find}, this is no use of them. */
  stillOpen(secrets: readonly string[]): Promise<ReadonlySet<string>>;
  end(secret: string): Promise<void>;
  /** @returns a code that signs in once, until `validMs` are over */
  createCode(credential: string | null, validMs: number): Promise<string>;
  /** Starts a session by a code, which is used up by this. @returns undefined if it was used before, or is out of date */
  startByCode(code: string): Promise<string | undefined>;
}

// A minute's accuracy is enough to tell an idle session, and spares a write for each request.
const seenEveryMs = 60_000;

const isValid = sql`(c.expires_at is null or c.expires_at > now())`;
const inMs = (ms: number) => sql<Date>`now() + ${ms}::double precision * interval '1 millisecond'`;

/** Whether a session `s` has not ended. */
const isOpen = sql`s.expires_at > now() and s.seen_at > ${inMs(-idleMs)} and (s.credential is null or ${isValid})`;

interface SessionRow {
  readonly id: string;
  readonly hash: Buffer;
  readonly credential: string | null;
  readonly seenAt: Date;
  readonly name: string | null;
  readonly role: Credential['role'] | null;
  readonly pools: string[] | null;
}

function ownerOf({ credential, name, role, pools }: SessionRow): SessionOwner {
  return credential === null || name === null || role === null ? null : { id: credential, name, role, pools };
}

/** Sessions and codes that are over are deleted as others begin. */
async function removeEnded(database: Database): Promise<void> {
  await sql`delete from person_session where expires_at <= now() or seen_at <= ${inMs(-idleMs)}`.execute(
    database,
  );
  await sql`delete from sign_in_code where expires_at <= now()`.execute(database);
}

/** Creates the part of the store for sessions of people. None is cached: a revoked one ends at once on every host. */
export function createPersonSessions({ database }: StoreContext): PersonSessions {
  async function start(credential: string | null): Promise<string | undefined> {
    await removeEnded(database);
    const { secret, hash } = generateSecret('wss');
    const { numAffectedRows } = await sql`
insert into person_session (id, hash, credential, expires_at)
select ${uuidv7()}, ${hash}, c.id, least(${inMs(maxSessionMs)}, c.expires_at)
from (select ${credential}::text as wanted) w left join credential c on c.id = w.wanted
where w.wanted is null or (c.id is not null and ${isValid})`.execute(database);
    return numAffectedRows === 1n ? secret : undefined;
  }

  return {
    start,
    async find(secret) {
      const hash = hashSecret(secret);
      const { rows } = await sql<SessionRow>`
select s.id, s.hash, s.credential, s.seen_at as "seenAt", c.name, c.role, c.pools
from person_session s left join credential c on c.id = s.credential
where s.hash = ${hash} and ${isOpen}`.execute(database);
      const [row] = rows;
      if (row === undefined || !isSameHash(row.hash, hash)) return undefined;
      if (Date.now() - row.seenAt.getTime() >= seenEveryMs) {
        await sql`update person_session set seen_at = now() where id = ${row.id}`.execute(database);
      }
      return { owner: ownerOf(row) };
    },
    async stillOpen(secrets) {
      const secretOf = new Map(secrets.map((secret) => [hashSecret(secret).toString('base64'), secret]));
      const { rows } = await sql<{ hash: string }>`
select encode(s.hash, 'base64') as hash from unnest(${[...secretOf.keys()]}::text[]) k (hash)
join person_session s on s.hash = decode(k.hash, 'base64')
left join credential c on c.id = s.credential
where ${isOpen}`.execute(database);
      return new Set(rows.flatMap(({ hash }) => secretOf.get(hash) ?? []));
    },
    async end(secret) {
      await sql`delete from person_session where hash = ${hashSecret(secret)}`.execute(database);
    },
    async createCode(credential, validMs) {
      const { secret, hash } = generateSecret('wsl');
      await sql`
insert into sign_in_code (hash, credential, expires_at) values (${hash}, ${credential}, ${inMs(validMs)})`.execute(
        database,
      );
      return secret;
    },
    async startByCode(code) {
      const { rows } = await sql<{ credential: string | null }>`
delete from sign_in_code where hash = ${hashSecret(code)} and expires_at > now() returning credential`.execute(
        database,
      );
      return rows[0] && start(rows[0].credential);
    },
  };
}
