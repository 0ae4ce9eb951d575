import type { PoolSetup } from '../configurations/configuration.ts';
import type { PoolSetups } from '../configurations/pool-setups.ts';
import type { StoreContext } from '../store-context.ts';
import { createKeyTable, type KeyTable } from './key-table.ts';

/** The tokens with which a pool's waiver app authenticates. */
export interface AccessTokens extends Pick<KeyTable, 'list' | 'remove'> {
  /** `token` cannot be read again. Rejects if there is no such pool. */
  create(pool: string): Promise<{ id: string; token: string }>;
  /** The pool that a token belongs to, as it is set up now. */
  verify(token: string): Promise<PoolSetup | undefined>;
}

export function createAccessTokens({ database }: StoreContext, setups: PoolSetups): AccessTokens {
  const tokens = createKeyTable(database, { table: 'access_token', ownerColumn: 'pool', prefix: 'wst' });
  return {
    ...tokens,
    async create(pool) {
      const { id, secret } = await tokens.create(pool);
      return { id, token: secret };
    },
    verify: (token) => setups.ofToken(token),
  };
}
