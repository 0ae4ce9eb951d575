import type { Credential, Role } from '@waiver-service/api';
import {
  CannotDecrypt,
  decodeUuidCursor,
  isUuid,
  milliseconds,
  type Page,
  type PageRequest,
  pageOf,
} from '@waiver-service/database';
import {
  findBySecret,
  generateSecret,
  hashSecret,
  isSameHash,
  isUnexpired,
} from '@waiver-service/store/features';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Database, PeopleContext } from './tables.ts';

const visitSchema = z.object({
  id: z.string(),
  expiresAt: z.number(),
  /** Sent to the issuer, which sends it back with the browser. */
  state: z.string(),
  /** Sent to the issuer, which puts it into the token. */
  nonce: z.string(),
  /** Proves that the code is exchanged by the party that requested it (PKCE). */
  verifier: z.string(),
  /** The page that the person requested. */
  landing: z.string(),
});

/** A browser's visit to the issuer's sign-in page. */
export type IssuerVisit = Omit<z.infer<typeof visitSchema>, 'id' | 'expiresAt'>;

const location = { table: 'issuer_visit', column: 'sealed', row: [] };

/**
 * Visits of browsers to an OpenID Connect issuer. The browser keeps its own visit, encrypted, so that it can return to
 * any host and visits of strangers fill no table; only the ids of ended visits are stored.
 */
export function createIssuerVisits({ database, encryption }: PeopleContext) {
  function open(sealed: string) {
    try {
      return visitSchema.parse(JSON.parse(encryption.decrypt(location, sealed)));
    } catch (error) {
      if (error instanceof CannotDecrypt) return undefined;
      throw error;
    }
  }

  return {
    /** @returns the encrypted visit for the browser to keep, valid for `validMs` */
    begin: (visit: IssuerVisit, validMs: number): string =>
      encryption.encrypt(
        location,
        JSON.stringify({ ...visit, id: uuidv7(), expiresAt: Date.now() + validMs }),
      ),
    /**
     * Ends a visit, which uses it up.
     *
     * @returns undefined if the state belongs to another visit, or the visit was used or has expired
     */
    async end(sealed: string, returnedState: string): Promise<IssuerVisit | undefined> {
      const opened = open(sealed);
      if (opened === undefined || opened.expiresAt <= Date.now()) return undefined;
      const { id, expiresAt, ...visit } = opened;
      // Before the visit is used up: a link on a stranger's page, with another state, must not end it.
      if (!isSameHash(hashSecret(visit.state), hashSecret(returnedState))) return undefined;
      await database.deleteFrom('endedSignIn').where('expiresAt', '<=', sql<Date>`now()`).execute();
      const { numInsertedOrUpdatedRows = 0n } = await database
        .insertInto('endedSignIn')
        .values({ id, expiresAt: new Date(expiresAt) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n ? visit : undefined;
    },
  };
}

/** A person for whom an OpenID Connect issuer vouched. */
export interface IssuerPerson {
  /** The issuer's id of the person. */
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  /** Null: all. */
  readonly pools: readonly string[] | null;
  /** Identifies the rules that granted the role. The caller must refuse sessions under other rules. */
  readonly rules: string;
}

/** The owner of a session: a credential, a person from the issuer, or null for the admin token. */
export type SessionOwner = Pick<Credential, 'id' | 'name' | 'role' | 'pools'> | IssuerPerson | null;

/** A session that has not ended. */
export interface PersonSession {
  readonly id: string;
  readonly owner: SessionOwner;
  readonly createdAt: Date;
  /** Accurate to a minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

const hourMs = 3_600_000;
/** The maximum length of a session, however much it is used. */
export const maxSessionMs = 7 * 24 * hourMs;
/**
 * The maximum length of a session by an issuer. The service is not notified when the issuer disables an account, so
 * people must come from there at least once a working day.
 */
const maxIssuerSessionMs = 12 * hourMs;
/** A session ends when unused for this long. */
const idleMs = 8 * hourMs;

// Accurate enough to detect an idle session, without a write for each request.
const seenEveryMs = 60_000;

const isValid = isUnexpired(sql`c.expires_at`);
const inMs = (ms: number) => sql<Date>`now() + ${milliseconds(ms)}`;

/** Whether a session `s` has not ended. */
const isOpen = sql`s.expires_at > now() and s.seen_at > ${inMs(-idleMs)} and (s.credential is null or ${isValid})`;

interface OwnerColumns {
  readonly credential: string | null;
  readonly subject: string | null;
  readonly rules: string | null;
  readonly name: string | null;
  readonly role: Role | null;
  readonly pools: string[] | null;
}

interface SessionRow extends OwnerColumns {
  readonly id: string;
  readonly hash: Buffer;
  readonly seenAt: Date;
}

interface ListedRow extends OwnerColumns {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

const ownerColumns = sql`s.credential, s.subject, s.rules,
  coalesce(c.name, s.name) as name, coalesce(c.role, s.role) as role, coalesce(c.pools, s.pools) as pools`;

function ownerOf({ credential, subject, rules, name, role, pools }: OwnerColumns): SessionOwner {
  if (name === null || role === null) return null;
  if (credential !== null) return { id: credential, name, role, pools };
  return subject === null || rules === null ? null : { subject, name, role, pools, rules };
}

/** Deletes ended sessions and codes; called when a session starts. */
async function removeEnded(database: Database): Promise<void> {
  await database
    .deleteFrom('personSession')
    .where('expiresAt', '<=', sql<Date>`now() or seen_at <= ${inMs(-idleMs)}`)
    .execute();
  await database.deleteFrom('signInCode').where('expiresAt', '<=', sql<Date>`now()`).execute();
}

/**
 * The sessions of people who have signed in to the console, and the codes of links that sign in. Sessions are not cached,
 * so that revoking one takes effect at once on every host.
 */
export function createPersonSessions({ database }: PeopleContext) {
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
    /** @returns the session's secret, which cannot be read again; undefined if the credential has ended meanwhile */
    start,
    /** @returns the session's secret, which cannot be read again */
    async startByIssuer({ subject, name, role, pools, rules }: IssuerPerson): Promise<string> {
      await removeEnded(database);
      const { secret, hash } = generateSecret('wss');
      await database
        .insertInto('personSession')
        .values({
          id: uuidv7(),
          hash,
          subject,
          name,
          role,
          pools,
          rules,
          expiresAt: inMs(maxIssuerSessionMs),
        })
        .execute();
      return secret;
    },
    /** Whose session it is; undefined if it has ended, or its credential has. */
    async find(secret: string): Promise<{ readonly owner: SessionOwner } | undefined> {
      const row = await findBySecret(
        database,
        secret,
        (hash) => sql<SessionRow>`
select s.id, s.hash, s.seen_at, ${ownerColumns}
from person_session s left join credential c on c.id = s.credential
where s.hash = ${hash} and ${isOpen}`,
      );
      if (row === undefined) return undefined;
      if (Date.now() - row.seenAt.getTime() >= seenEveryMs) {
        await database
          .updateTable('personSession')
          .set({ seenAt: sql<Date>`now()` })
          .where('id', '=', row.id)
          .execute();
      }
      return { owner: ownerOf(row) };
    },
    async end(secret: string): Promise<void> {
      await database.deleteFrom('personSession').where('hash', '=', hashSecret(secret)).execute();
    },
    /** Oldest first. @param rules of the issuer's sessions to include @throws MalformedCursor */
    async list(rules: string | undefined, { limit, cursor }: PageRequest): Promise<Page<PersonSession>> {
      const after = decodeUuidCursor(cursor) ?? null;
      const { rows } = await sql<ListedRow>`
select s.id, s.created_at, s.seen_at as last_used_at, s.expires_at, ${ownerColumns}
from person_session s left join credential c on c.id = s.credential
where ${isOpen} and (s.rules is null or s.rules = ${rules ?? null}) and (${after}::uuid is null or s.id > ${after}::uuid)
order by s.id
limit ${limit + 1}`.execute(database);
      return pageOf(
        rows,
        limit,
        ({ id }) => [id],
        (row) => {
          const { id, createdAt, lastUsedAt, expiresAt } = row;
          return { id, owner: ownerOf(row), createdAt, lastUsedAt, expiresAt };
        },
      );
    },
    /** Ends a session by its id. @returns false if there is none */
    async remove(id: string): Promise<boolean> {
      if (!isUuid(id)) return false;
      const { numDeletedRows } = await database
        .deleteFrom('personSession')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    /** @returns a code that signs in once, within `validMs` */
    async createCode(credential: string | null, validMs: number): Promise<string> {
      const { secret, hash } = generateSecret('wsl');
      await database
        .insertInto('signInCode')
        .values({ hash, credential, expiresAt: inMs(validMs) })
        .execute();
      return secret;
    },
    /** Whom a code would sign in; undefined if it was used or has expired. Does not use it up. */
    async ownerOfCode(code: string): Promise<{ readonly owner: SessionOwner } | undefined> {
      const { rows } = await sql<OwnerColumns>`
select ${ownerColumns}
from (select k.credential, null as subject, null as rules, null as name, null as role, null::text[] as pools
  from sign_in_code k where k.hash = ${hashSecret(code)} and k.expires_at > now()) s
left join credential c on c.id = s.credential
where s.credential is null or ${isValid}`.execute(database);
      return rows[0] && { owner: ownerOf(rows[0]) };
    },
    /** Starts a session by a code, which uses it up. @returns undefined if it was used or has expired */
    async startByCode(code: string): Promise<string | undefined> {
      const rows = await database
        .deleteFrom('signInCode')
        .where('hash', '=', hashSecret(code))
        .where('expiresAt', '>', sql<Date>`now()`)
        .returning('credential')
        .execute();
      return rows[0] && start(rows[0].credential);
    },
  };
}
