import { type AccessToken, type AccessTokenSettings, tokenScopes } from '@waiver-service/api';
import type { Page, PageRequest } from '@waiver-service/database';
import { idOfCursor, pageById } from '@waiver-service/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { generateSecret } from '../keys/secret.ts';
import type { StoreContext } from '../store-context.ts';
import type { PoolSetups, TokenSetup } from './pool-setups.ts';

/** The tokens with which a pool's waiver app authenticates. */
export interface AccessTokens extends ReturnType<typeof createAccessTokens> {}

export function createAccessTokens({ database, notifications }: StoreContext, setups: PoolSetups) {
  return {
    /** `token` cannot be read again. Rejects for an unknown pool. */
    async create(
      pool: string,
      { name, scopes = [...tokenScopes], expiresAt }: AccessTokenSettings = {},
    ): Promise<{ id: string; token: string }> {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wst');
      await database
        .insertInto('accessToken')
        .values({ id, pool, hash, hint, name: name ?? null, scopes, expiresAt: expiresAt ?? null })
        .execute();
      return { id, token: secret };
    },
    /** A valid token with its pool's current setup; undefined if it is unknown or expired. */
    verify: (token: string): Promise<TokenSetup | undefined> => setups.ofToken(token),
    /** Oldest first, including expired ones. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<AccessToken>> {
      const { rows } = await sql<AccessToken>`
select id, name, scopes, hint, created_at, last_used_at, expires_at
from access_token where pool = ${pool} and id > ${idOfCursor(cursor)}
order by id limit ${limit + 1}`.execute(database);
      return pageById(rows, limit);
    },
    /** @returns false if the pool has no such token */
    async remove(pool: string, id: string): Promise<boolean> {
      const { numDeletedRows: numAffectedRows } = await database
        .deleteFrom('accessToken')
        .where('pool', '=', pool)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      notifications.announce('setups');
      return numAffectedRows === 1n;
    },
  };
}
