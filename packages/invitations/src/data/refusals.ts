import type { InvitationRefusal } from '@waiver-service/api';
import {
  decodeCursor,
  decodeTime,
  locate,
  MalformedCursor,
  type Page,
  type PageRequest,
  pageOf,
} from '@waiver-service/database';
import type { Database, StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { encryptedColumns, type OwnTables } from './tables.ts';

/** An address to remember; `id` as in {@link InvitationRefusal}. */
export interface NewRefusal extends Omit<InvitationRefusal, 'at'> {
  readonly pool: string;
}

const bytesOf = (id: string) => Buffer.from(id, 'base64url');

/** Remembers an address. An unsubscription is not overwritten. */
export async function addRefusal(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  { pool, id, email, reason, reply }: NewRefusal,
): Promise<void> {
  const sealed =
    email === null ? null : encryption.encrypt(locate(encryptedColumns.refusedAddress, pool, id), email);
  await sql`
insert into invitation_refusal as r (pool, address, address_encrypted, reason, reply)
values (${pool}, ${bytesOf(id)}, ${sealed}, ${reason}, ${reply})
on conflict (pool, address) do update set reason = excluded.reason, reply = excluded.reply,
  address_encrypted = coalesce(excluded.address_encrypted, r.address_encrypted), at = excluded.at
where r.reason = 'refused'`.execute(database);
}

/** Forgets an address. @returns false if it was not remembered */
export async function removeRefusal(database: Database, pool: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .withTables<OwnTables>()
    .deleteFrom('invitationRefusal')
    .where('pool', '=', pool)
    .where('address', '=', bytesOf(id))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Why an address is sent nothing; undefined if it may be. */
export async function refusalOf(
  database: Database,
  pool: string,
  address: Buffer,
): Promise<InvitationRefusal['reason'] | undefined> {
  const row = await database
    .withTables<OwnTables>()
    .selectFrom('invitationRefusal')
    .select('reason')
    .where('pool', '=', pool)
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.reason;
}

/** Newest first. @throws MalformedCursor */
export async function listRefusals(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  pool: string,
  { limit, cursor }: PageRequest,
): Promise<Page<InvitationRefusal>> {
  const [at = '', address = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
  if (!/^[A-Za-z0-9_-]*$/.test(address)) throw new MalformedCursor();
  const position =
    cursor === undefined ? sql`true` : sql`(at, address) < (${decodeTime(at)}, ${bytesOf(address)})`;
  const rows = await database
    .withTables<OwnTables>()
    .selectFrom('invitationRefusal')
    .select(['address', 'addressEncrypted as sealed', 'reason', 'reply', 'at'])
    .where('pool', '=', pool)
    .where(sql<boolean>`${position}`)
    .orderBy('at', 'desc')
    .orderBy('address', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows,
    limit,
    (row) => [row.at.toISOString(), row.address.toString('base64url')],
    ({ address: bytes, sealed, ...row }) => {
      const id = bytes.toString('base64url');
      const location = locate(encryptedColumns.refusedAddress, pool, id);
      return { id, email: sealed === null ? null : encryption.decrypt(location, sealed), ...row };
    },
  );
}
