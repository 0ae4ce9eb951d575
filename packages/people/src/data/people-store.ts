import type { Credential, CredentialSettings } from '@waiver-service/api';
import { idOfCursor, type Page, type PageRequest, pageById } from '@waiver-service/database';
import type { Store } from '@waiver-service/store';
import {
  findBySecret,
  generateSecret,
  isUnexpired,
  recordUse,
  type UsedKey,
} from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { createIssuerVisits, createPersonSessions } from './person-sessions.ts';
import type { OwnTables, PeopleContext } from './tables.ts';

/**
 * The tokens of people and programs that operate the service. They are not cached, so that revoking one takes effect at
 * once on every host.
 */
function createCredentials({ database }: PeopleContext) {
  return {
    /** `token` cannot be read again. */
    async create({
      name,
      role,
      pools,
      expiresAt,
    }: CredentialSettings): Promise<{ id: string; token: string }> {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wsc');
      await database
        .insertInto('credential')
        .values({ id, name, role, pools: pools ?? null, hash, hint, expiresAt: expiresAt ?? null })
        .execute();
      return { id, token: secret };
    },
    /** The credential of a token; undefined if it is unknown, revoked or expired. */
    async verify(token: string): Promise<Pick<Credential, 'id' | 'name' | 'role' | 'pools'> | undefined> {
      const row = await findBySecret(
        database,
        token,
        (hash) => sql<UsedKey & Pick<Credential, 'name' | 'role' | 'pools'>>`
select id, name, role, pools, hash, last_used_at from credential
where hash = ${hash} and ${isUnexpired(sql`expires_at`)}`,
      );
      if (row === undefined) return undefined;
      await recordUse(database, 'credential', row);
      const { id, name, role, pools } = row;
      return { id, name, role, pools };
    },
    /** Oldest first, including expired ones. @throws MalformedCursor */
    async list({ limit, cursor }: PageRequest): Promise<Page<Credential>> {
      const rows = await database
        .selectFrom('credential')
        .select(['id', 'name', 'role', 'pools', 'hint', 'createdAt', 'lastUsedAt', 'expiresAt'])
        .where('id', '>', idOfCursor(cursor))
        .orderBy('id')
        .limit(limit + 1)
        .execute();
      return pageById(rows, limit);
    },
    /** @returns false if there is none with this id */
    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await database
        .deleteFrom('credential')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

/** The store with the parts of people. */
export interface PeopleStore extends Store {
  readonly auditLog: AuditLog;
  readonly credentials: ReturnType<typeof createCredentials>;
  readonly issuerVisits: ReturnType<typeof createIssuerVisits>;
  readonly personSessions: ReturnType<typeof createPersonSessions>;
}
export const PeopleStore: ServiceIdentifier<PeopleStore> = Symbol('PeopleStore');

export function openPeopleStore(store: Store): PeopleStore {
  const context = { ...store.context, database: store.context.database.withTables<OwnTables>() };
  return {
    ...store,
    auditLog: createAuditLog(context),
    credentials: createCredentials(context),
    issuerVisits: createIssuerVisits(context),
    personSessions: createPersonSessions(context),
  };
}
