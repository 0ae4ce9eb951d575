import { createHmac, randomBytes } from 'node:crypto';
import { locate, prepared } from '@waiver-service/database';
import type { StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { encryptedColumns, type OwnTables } from './tables.ts';

type Context = Pick<StoreContext, 'database' | 'encryption'>;

async function readSecret({ database, encryption }: Context, pool: string): Promise<string> {
  const { rows } = await sql<{ encrypted: string }>`${prepared}
select secret_encrypted as encrypted from check_in_secret where pool = ${pool}`.execute(database);
  const location = locate(encryptedColumns.checkInSecret, pool);
  const [stored] = rows;
  if (stored !== undefined) return encryption.decrypt(location, stored.encrypted);
  const secret = encryption.encrypt(location, randomBytes(32).toString('base64'));
  const { rows: written } = await sql<{ encrypted: string }>`
insert into check_in_secret as s (pool, secret_encrypted) values (${pool}, ${secret})
on conflict (pool) do update set secret_encrypted = s.secret_encrypted
returning secret_encrypted as encrypted`.execute(database);
  return encryption.decrypt(location, written[0]?.encrypted ?? '');
}

/**
 * An HMAC of a text with the pool's secret: proves that this service wrote it, and serves as a token that can be derived
 * again.
 */
export async function poolProof(context: Context, pool: string, text: string): Promise<string> {
  const secret = await readSecret(context, pool);
  return createHmac('sha256', secret).update(text).digest('base64url');
}

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
    return database
      .withTables<OwnTables>()
      .selectFrom('sealingKey')
      .select(['id', 'publicKey'])
      .where('pool', '=', pool)
      .where('createdAt', '>', sql<Date>`now() - ${maxAgeDays}::integer * interval '1 day'`)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
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
        await database
          .withTables<OwnTables>()
          .insertInto('sealingKey')
          .values({
            id,
            pool,
            publicKey,
            privateKeyEncrypted: encryption.encrypt(locate(encryptedColumns.sealingKey, id), privateKey),
          })
          .execute();
        key = { id, publicKey };
      }
      cache.set(pool, { key, until: performance.now() + cacheMs });
      return key;
    },
    async find(id: string): Promise<StoredSealingKey | undefined> {
      const row = await database
        .withTables<OwnTables>()
        .selectFrom('sealingKey')
        .select(['id', 'pool', 'publicKey', 'privateKeyEncrypted as encrypted'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { encrypted, ...key } = row;
      return { ...key, privateKey: encryption.decrypt(locate(encryptedColumns.sealingKey, id), encrypted) };
    },
  };
}
