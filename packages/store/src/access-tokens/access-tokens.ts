import { v7 as uuidv7 } from 'uuid';
import type { PoolSetup } from '../configurations/configuration.ts';
import type { PoolSetups } from '../configurations/pool-setups.ts';
import { decodeIdCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import { type KeyInfo, keyInfoOf } from '../secrets/key-info.ts';
import { generateSecret } from '../secrets/secret.ts';
import type { StoreContext } from '../store-context.ts';

/** The tokens that let the waiver app of a pool in. */
export interface AccessTokens {
  /** `token` is shown only here. Rejects where there is no such pool. */
  create(pool: string): Promise<{ id: string; token: string }>;
  /** Oldest first. @throws MalformedCursor */
  list(pool: string, page: PageRequest): Promise<Page<KeyInfo>>;
  /** False where the pool has no such token. */
  remove(pool: string, id: string): Promise<boolean>;
  /** The pool that a token opens, as it is set up now. */
  verify(token: string): Promise<PoolSetup | undefined>;
}

/** Makes the part of the store that holds access tokens. */
export function createAccessTokens({ database }: StoreContext, setups: PoolSetups): AccessTokens {
  return {
    async create(pool) {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wst');
      await database.insertInto('access_token').values({ id, pool, hash, hint }).execute();
      return { id, token: secret };
    },
    async list(pool, { limit, cursor }) {
      let query = database
        .selectFrom('access_token')
        .select(['id', 'created_at', 'last_used_at', 'hint'])
        .where('pool', '=', pool)
        .orderBy('id')
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(cursor));
      return pageOf(await query.execute(), limit, ({ id }) => [id], keyInfoOf);
    },
    async remove(pool, id) {
      const { numDeletedRows } = await database
        .deleteFrom('access_token')
        .where('pool', '=', pool)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    verify: (token) => setups.ofToken(token),
  };
}
