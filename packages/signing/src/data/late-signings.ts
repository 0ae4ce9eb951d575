import { idOfCursor, locate, type Page, type PageRequest, pageById } from '@waiver-service/database';
import type { DatabaseTransaction, StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { encryptedColumns, type OwnTables } from './tables.ts';

/** A signing that waited on a device and could not be turned into waivers: staff must review it. */
export interface LateSigning {
  readonly id: string;
  readonly pool: string;
  /** The id assigned by the device; null if there is none. */
  readonly signing: string | null;
  /** The link that it came by; null if unknown. */
  readonly link: string | null;
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
  /** The code of the problem. */
  readonly reason: string;
  readonly receivedAt: Date;
  /** JSON, for lists. */
  readonly summary: string;
}

/** A signing to keep for staff. */
export interface NewLateSigning extends Omit<LateSigning, 'id' | 'receivedAt'> {
  /** Everything that arrived. */
  readonly body: string;
  /** Hexadecimal SHA-256 of the body. */
  readonly contentHash: string;
  /** The e-mail addresses in it. */
  readonly emails: readonly string[];
  /** Whether `link` is a kiosk. */
  readonly isAtKiosk?: boolean;
}

/** Signings that staff must review. Their contents are encrypted at rest. */
export interface LateSignings extends ReturnType<typeof createLateSignings> {}

const MiB = 1024 ** 2;

interface Room {
  readonly signings: number;
  readonly bytes: number;
}

const maxOfPool: Room = { signings: 1_000, bytes: 1_024 * MiB };
/**
 * For signings without a known link, or by a link or kiosk that was withdrawn: strangers may have made them, so they must
 * not crowd out the others.
 */
const maxOfStrangers: Room = { signings: 200, bytes: 256 * MiB };
/** By one link, so that nobody takes the room of all. */
const maxOfLink: Room = { signings: 30, bytes: 64 * MiB };
/** At one kiosk, on which many guests sign. */
const maxOfKiosk: Room = { signings: 300, bytes: 256 * MiB };

const withdrawn = ['link_revoked', 'kiosk_revoked'];

const columns = sql`l.id, l.pool, l.signing, l.link, l.booking_system, l.booking_id, l.reason,
  l.received_at, l.summary_encrypted as summary`;

const summaryAt = (pool: string, id: string) => locate(encryptedColumns.lateSigningSummary, pool, id);
const bodyAt = (pool: string, id: string) => locate(encryptedColumns.lateSigningBody, pool, id);

export function createLateSignings({ database, encryption, hashEmail }: StoreContext) {
  const opened = (row: LateSigning): LateSigning => ({
    ...row,
    summary: encryption.decrypt(summaryAt(row.pool, row.id), row.summary),
  });
  return {
    /** @returns `full` if the pool or the link has the maximum in number or size: staff must deal with some first */
    async keep({
      pool,
      body,
      summary,
      contentHash,
      emails,
      isAtKiosk = false,
      ...signing
    }: NewLateSigning): Promise<'kept' | 'full'> {
      const id = uuidv7();
      const hashes = emails.flatMap((email) => hashEmail(pool, email) ?? []);
      const isStrangers = signing.link === null || withdrawn.includes(signing.reason);
      const max = isStrangers ? maxOfStrangers : maxOfPool;
      const maxHere = isAtKiosk ? maxOfKiosk : maxOfLink;
      const sealed = encryption.encrypt(bodyAt(pool, id), body);
      const { rows } = await database.transaction().execute(async (transaction) => {
        // Serialized, so that concurrent calls cannot exceed the limits.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`late signings ${pool}`}, 0))`.execute(
          transaction,
        );
        return sql<{ isKept: boolean }>`
with taken as materialized (
  select count(*) as signings, coalesce(sum(octet_length(body_encrypted)), 0) as bytes,
    count(*) filter (where link = ${signing.link}) as here,
    coalesce(sum(octet_length(body_encrypted)) filter (where link = ${signing.link}), 0) as bytes_here
  from late_signing
  where pool = ${pool} and (link is null or reason = any (${withdrawn}::text[])) = ${isStrangers}),
kept as (
  insert into late_signing (pool, id, signing, link, booking_system, booking_id, reason, content_hash, summary_encrypted,
    body_encrypted, email_hashes)
  select ${pool}, ${id}, ${signing.signing}, ${signing.link}, ${signing.bookingSystem}, ${signing.bookingId},
    ${signing.reason}, decode(${contentHash}, 'hex'), ${encryption.encrypt(summaryAt(pool, id), summary)},
    ${sealed}, ${hashes}::bytea[]
  from taken t
  where t.signings < ${max.signings}::integer and t.bytes + ${sealed.length}::integer <= ${max.bytes}::bigint
    and t.here < ${maxHere.signings}::integer and t.bytes_here + ${sealed.length}::integer <= ${maxHere.bytes}::bigint
  on conflict (pool, content_hash) do update set content_hash = excluded.content_hash returning true)
select exists (select from kept) as is_kept`.execute(transaction);
      });
      return rows[0]?.isKept ? 'kept' : 'full';
    },
    /** Whether a signing with this content is kept. */
    async has(pool: string, contentHash: string): Promise<boolean> {
      const { rows } = await sql`
select from late_signing where pool = ${pool} and content_hash = decode(${contentHash}, 'hex')`.execute(
        database,
      );
      return rows.length > 0;
    },
    /** Oldest first. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<LateSigning>> {
      const { rows } = await sql<LateSigning>`
select ${columns} from late_signing l where l.pool = ${pool} and l.id > ${idOfCursor(cursor)}
order by l.id limit ${limit + 1}`.execute(database);
      return pageById(rows.map(opened), limit);
    },
    /** With the body. */
    async get(pool: string, id: string): Promise<(LateSigning & { readonly body: string }) | undefined> {
      const { rows } = await sql<LateSigning & { readonly body: string }>`
select ${columns}, l.body_encrypted as body from late_signing l where l.pool = ${pool} and l.id = ${id}`.execute(
        database,
      );
      const [row] = rows;
      return row && { ...opened(row), body: encryption.decrypt(bodyAt(pool, id), row.body) };
    },
    /** @returns false if the pool has no such signing */
    async remove(pool: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await database
        .withTables<OwnTables>()
        .deleteFrom('lateSigning')
        .where('pool', '=', pool)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

/** Identifies a guest by addresses and waivers. */
export interface LateSigner {
  /** Keyed hashes of addresses. */
  readonly emailHashes: readonly Buffer[];
  readonly waiverIds: readonly string[];
}

// A waiver's id is its signing's id and the guest's number.
const ofSigner = (pool: string, { emailHashes, waiverIds }: LateSigner) => sql`
l.pool = ${pool} and (l.email_hashes && ${[...emailHashes]}::bytea[]
  or l.signing = any (${waiverIds.map((id) => id.replace(/-\d+$/, ''))}::text[]))`;

/** Deletes the late signings of a guest who is being erased. */
export async function eraseLateSignings(
  transaction: DatabaseTransaction,
  pool: string,
  signer: LateSigner,
): Promise<void> {
  await sql`delete from late_signing l where ${ofSigner(pool, signer)}`.execute(transaction);
}

/** A guest's late signings, one by one. */
export async function* exportLateSignings(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  pool: string,
  signer: LateSigner,
): AsyncGenerator<Pick<LateSigning, 'id' | 'reason' | 'receivedAt'> & { readonly body: string }> {
  let after = '';
  for (;;) {
    const row = await database
      .withTables<OwnTables>()
      .selectFrom('lateSigning as l')
      .select(['l.id', 'l.reason', 'l.receivedAt', 'l.bodyEncrypted as body'])
      .where(sql<boolean>`${ofSigner(pool, signer)}`)
      .where('l.id', '>', after)
      .orderBy('l.id')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return;
    yield { ...row, body: encryption.decrypt(bodyAt(pool, row.id), row.body) };
    after = row.id;
  }
}
