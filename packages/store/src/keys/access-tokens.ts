import { v7 as uuidv7 } from 'uuid';
import type { PoolSetups, TokenSetup } from '../configurations/pool-setups.ts';
import { idAfter, pageById } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import type { KeyInfo } from './key-info.ts';
import { generateSecret } from './secret.ts';
import { type TokenScope, tokenScopes } from './token-scopes.ts';

/** A new token of a waiver app. */
export interface AccessTokenSettings {
  readonly name?: string | undefined;
  /** All if omitted. */
  readonly scopes?: readonly TokenScope[] | undefined;
  /** `undefined`: it does not expire. */
  readonly expiresAt?: Date | undefined;
}

/** An access token without its secret. */
export interface AccessToken extends KeyInfo {
  readonly name: string | null;
  readonly scopes: readonly TokenScope[];
  /** Null: it does not expire. */
  readonly expiresAt: Date | null;
}

/** The tokens with which a pool's waiver app authenticates. */
export interface AccessTokens {
  /** `token` cannot be read again. Rejects if there is no such pool. */
  create(pool: string, settings?: AccessTokenSettings): Promise<{ id: string; token: string }>;
  /** A token that is valid, with the pool that it belongs to, as it is set up now. */
  verify(token: string): Promise<TokenSetup | undefined>;
  /** Oldest first, including expired ones. @throws MalformedCursor */
  list(pool: string, page: PageRequest): Promise<Page<AccessToken>>;
  /** @returns false if the pool has no such token */
  remove(pool: string, id: string): Promise<boolean>;
}

export function createAccessTokens({ database, cell }: StoreContext, setups: PoolSetups): AccessTokens {
  return {
    async create(pool, { name, scopes = tokenScopes, expiresAt } = {}) {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wst', cell);
      await database
        .insertInto('access_token')
        .values({
          id,
          pool,
          hash,
          hint,
          name: name ?? null,
          scopes: [...scopes],
          expires_at: expiresAt ?? null,
        })
        .execute();
      return { id, token: secret };
    },
    verify: (token) => setups.ofToken(token),
    async list(pool, { limit, cursor }) {
      const rows = await database
        .selectFrom('access_token')
        .select(['id', 'name', 'scopes', 'hint'])
        .select(['created_at as createdAt', 'last_used_at as lastUsedAt', 'expires_at as expiresAt'])
        .where('pool', '=', pool)
        .where('id', '>', idAfter(cursor))
        .orderBy('id')
        .limit(limit + 1)
        .execute();
      return pageById(rows, limit);
    },
    async remove(pool, id) {
      const { numDeletedRows } = await database
        .deleteFrom('access_token')
        .where('pool', '=', pool)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
