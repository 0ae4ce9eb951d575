import { sql } from 'kysely';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { locate } from '../encryption/encryption.ts';
import type { StoreContext } from '../store-context.ts';

/** A key pair with which devices seal signings for a pool. */
export interface StoredSealingKey {
  readonly id: string;
  readonly pool: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

const maxAgeDays = 90;
const cacheMs = 60_000;

interface CachedKey {
  readonly key: Pick<StoredSealingKey, 'id' | 'publicKey'>;
  readonly until: number;
}

/** The keys with which devices seal signings that wait on them. */
export function createSealingKeys({ database, encryption }: StoreContext) {
  // Every session of the check-in page needs the key.
  const cache = new Map<string, CachedKey>();

  async function newest(pool: string) {
    const { rows } = await sql<Pick<StoredSealingKey, 'id' | 'publicKey'>>`
select id, public_key from sealing_key
where pool = ${pool} and created_at > now() - ${maxAgeDays}::integer * interval '1 day'
order by created_at desc, id desc limit 1`.execute(database);
    return rows[0];
  }

  return {
    /**
     * The public half of a pool's newest key. A key older than 90 days is replaced, but still opens what it sealed.
     * @param make creates a key pair
     */
    async current(
      pool: string,
      make: () => Promise<Omit<StoredSealingKey, 'pool'>>,
    ): Promise<Pick<StoredSealingKey, 'id' | 'publicKey'>> {
      const cached = cache.get(pool);
      if (cached !== undefined && cached.until > performance.now()) return cached.key;
      let key = await newest(pool);
      if (key === undefined) {
        const { id, publicKey, privateKey } = await make();
        // Concurrent hosts may each store one: all of them can open signings.
        await sql`
insert into sealing_key (id, pool, public_key, private_key_encrypted)
values (${id}, ${pool}, ${publicKey}, ${encryption.encrypt(locate(encryptedColumns.sealingKey, id), privateKey)})`.execute(
          database,
        );
        key = { id, publicKey };
      }
      cache.set(pool, { key, until: performance.now() + cacheMs });
      return key;
    },
    async find(id: string): Promise<StoredSealingKey | undefined> {
      const { rows } = await sql<Omit<StoredSealingKey, 'privateKey'> & { readonly encrypted: string }>`
select id, pool, public_key, private_key_encrypted as encrypted
from sealing_key where id = ${id}`.execute(database);
      const [row] = rows;
      if (row === undefined) return undefined;
      const { encrypted, ...key } = row;
      return { ...key, privateKey: encryption.decrypt(locate(encryptedColumns.sealingKey, id), encrypted) };
    },
  };
}
