import { createHmac, randomBytes } from 'node:crypto';
import { locate, prepared } from '@waiver-service/database';
import type { StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { encryptedColumns } from './tables.ts';

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
