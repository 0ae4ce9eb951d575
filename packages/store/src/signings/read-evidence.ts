import {
  type ChainEntry,
  type EvidenceFile,
  type EvidenceRecord,
  type EvidenceStamp,
  evidenceFormat,
  firstHead,
  type PartName,
  type PathStep,
  partNames,
  type SealedPart,
} from '@waiver-service/evidence';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import type { StoreContext } from '../store-context.ts';
import { entryLocation } from './insert-record.ts';

/** The evidence of a signing. */
export interface StoredEvidence {
  readonly signing: string;
  readonly file: EvidenceFile;
}

interface SigningRow {
  readonly id: string;
  readonly leaf: string;
  readonly sequence: number | null;
}

interface PartRow {
  readonly name: PartName;
  readonly hash: string;
  readonly salt: string | null;
  readonly text: string | null;
}

interface EntryRow extends Omit<PartRow, 'name' | 'salt'> {
  readonly salt: string;
  readonly encrypted: string | null;
}

interface ChainRow {
  readonly sequence: number;
  readonly leaf: string;
  readonly head: string;
  readonly signedAt: Date | null;
  readonly signature: string | null;
}

// The entries of a chain that one file may have: those of days without a stamp.
const maxEntries = 100_000;

const partOf = ({ name, hash, salt, text }: PartRow): EvidenceRecord['parts'][number] =>
  salt === null || text === null ? { name, hash } : { name, salt, text, hash };

/** Which values of a record are read: of all guests, or of one guest, as the signer too if they are. */
export interface EvidenceScope {
  readonly guest: number;
  readonly isSigner: boolean;
}

async function readRecord(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  pool: string,
  { id, leaf }: SigningRow,
  scope: EvidenceScope | undefined,
): Promise<EvidenceRecord> {
  const isInScope =
    scope === undefined
      ? sql`true`
      : sql`(guest = ${scope.guest}::integer or (guest is null and ${scope.isSigner}::boolean))`;
  const { rows: parts } = await sql<PartRow>`
select name, encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, body as text
from signing_part where pool = ${pool} and signing = ${id}`.execute(transaction);
  const { rows: entries } = await sql<EntryRow>`
select encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, body as text, body_encrypted as encrypted
from signing_entry where pool = ${pool} and signing = ${id} and salt is not null and ${isInScope} order by hash`.execute(
    transaction,
  );
  const { rows: photos } = await sql<{ id: string; data: string }>`
select id, translate(encode(data, 'base64'), E'\n', '') as data
from signing_photo where pool = ${pool} and signing = ${id} and data is not null and ${isInScope} order by id`.execute(
    transaction,
  );
  return {
    leaf,
    parts: parts
      .toSorted((one, other) => partNames.indexOf(one.name) - partNames.indexOf(other.name))
      .map(partOf),
    entries: entries.map(({ hash, salt, text, encrypted }) => ({
      hash,
      salt,
      text: encrypted === null ? (text ?? '') : encryption.decrypt(entryLocation(pool, id, hash), encrypted),
    })),
    photos,
  };
}

interface LaterRow {
  readonly leaf: string;
  readonly sequence: number;
  readonly parts: readonly SealedPart[];
}

async function readLater(
  transaction: DatabaseTransaction,
  pool: string,
  { id }: SigningRow,
): Promise<LaterRow[]> {
  const { rows } = await sql<LaterRow>`
select encode(leaf, 'hex') as leaf, sequence::integer as sequence, parts::json as parts
from signing_event where pool = ${pool} and signing = ${id} and sequence is not null order by sequence`.execute(
    transaction,
  );
  return rows;
}

async function readStamp(
  transaction: DatabaseTransaction,
  pool: string,
  sequence: number,
): Promise<EvidenceStamp | undefined> {
  const { rows } = await sql<{ sequence: number; path: readonly PathStep[]; root: string; token: string }>`
select h.sequence::integer as sequence, h.path::json as path, encode(r.root, 'hex') as root,
  translate(encode(r.token, 'base64'), E'\n', '') as token
from evidence_root_head h join evidence_root r on r.day = h.day and r.token is not null
where h.pool = ${pool} and h.sequence >= ${sequence}::bigint order by h.sequence limit 1`.execute(
    transaction,
  );
  return rows[0];
}

/** Entries from each leaf to the next signed head, and from the first one to the head that was stamped. */
async function readChain(
  transaction: DatabaseTransaction,
  pool: string,
  sequences: readonly number[],
  stamped: number | undefined,
): Promise<ChainEntry[]> {
  const { rows } = await sql<ChainRow & { readonly former: string | null }>`
with run as (
  select s.first, greatest(
    (select min(e.sequence) from evidence_entry e where e.pool = ${pool} and e.sequence >= s.first and e.signature is not null),
    case when s.first = ${sequences[0] ?? 0}::bigint then ${stamped ?? null}::bigint end) as last
  from unnest(${[...sequences]}::bigint[]) s (first))
select e.sequence::integer as sequence, encode(e.leaf, 'hex') as leaf, encode(e.head, 'hex') as head,
  e.signed_at as "signedAt", encode(e.signature, 'hex') as signature,
  (select encode(f.head, 'hex') from evidence_entry f where f.pool = e.pool and f.sequence = e.sequence - 1) as former
from evidence_entry e
where e.pool = ${pool} and exists (select from run r where e.sequence between r.first and r.last)
order by e.sequence limit ${maxEntries}`.execute(transaction);
  return rows.map(({ sequence, former, leaf, head, signedAt, signature }) => ({
    sequence,
    former: former ?? firstHead(pool).head,
    leaf,
    head,
    ...(signedAt === null || signature === null ? {} : { signed: { at: signedAt.toISOString(), signature } }),
  }));
}

async function read(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  pool: string,
  waiverId: string,
  isOfGuestOnly: boolean,
): Promise<StoredEvidence | undefined> {
  const { rows } = await sql<SigningRow & EvidenceScope & { readonly publicKey: string | null }>`
select w.guest, w.is_signer as "isSigner", s.id, encode(s.leaf, 'hex') as leaf, s.sequence::integer as sequence, c.public_key as "publicKey"
from signing_waiver w join signing s on s.pool = w.pool and s.id = w.signing
left join evidence_chain c on c.pool = s.pool
where w.pool = ${pool} and w.waiver_id = ${waiverId}`.execute(transaction);
  const [signing] = rows;
  if (signing === undefined) return undefined;
  const record = await readRecord(
    transaction,
    encryption,
    pool,
    signing,
    isOfGuestOnly ? signing : undefined,
  );
  const later = await readLater(transaction, pool, signing);
  const { sequence } = signing;
  const stamp = sequence === null ? undefined : await readStamp(transaction, pool, sequence);
  const chain =
    sequence === null
      ? []
      : await readChain(
          transaction,
          pool,
          [sequence, ...later.map((each) => each.sequence)],
          stamp?.sequence,
        );
  const file: EvidenceFile = {
    format: evidenceFormat,
    pool,
    publicKey: signing.publicKey ?? '',
    record,
    later: later.map(({ leaf, parts }) => ({ leaf, parts, entries: [], photos: [] })),
    chain,
    ...(stamp === undefined ? {} : { stamp }),
  };
  return { signing: signing.id, file };
}

/**
 * Reads what is left of the record of a waiver's signing, and what proves it, as of one moment.
 * @param isOfGuestOnly leaves out what others of the signing have answered and written
 */
export function readEvidence(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  pool: string,
  waiverId: string,
  { isOfGuestOnly = false }: { readonly isOfGuestOnly?: boolean } = {},
): Promise<StoredEvidence | undefined> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) => read(transaction, encryption, pool, waiverId, isOfGuestOnly));
}
