import type { Encryption } from '@waiver-service/database';
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
import type { Database, DatabaseTransaction, StoreContext } from '@waiver-service/store/features';
import { type RawBuilder, sql } from 'kysely';
import { entryLocation } from './insert-record.ts';

/** The evidence of a signing. */
export interface StoredEvidence {
  readonly signing: string;
  /** Its name today; the record has only the id. */
  readonly poolName: string;
  readonly file: EvidenceFile;
}

interface SigningRow {
  readonly id: string;
  readonly leaf: string;
  readonly sequence: number | null;
}

/** The signing that a returning guest confirmed, and the guest's place in it; nulls if nothing was confirmed. */
interface ConfirmedRow {
  readonly confirmed: string | null;
  readonly confirmedLeaf: string;
  readonly confirmedSequence: number | null;
  readonly confirmedGuest: number | null;
  readonly confirmedIsSigner: boolean | null;
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

// The most chain entries in one file: enough for days without a stamp.
const maxEntries = 100_000;

const partOf = ({ name, hash, salt, text }: PartRow): EvidenceRecord['parts'][number] =>
  salt === null || text === null ? { name, hash } : { name, salt, text, hash };

/** Restricts what is read of a record to one guest's values, and the signer's if the guest is the signer. */
export interface EvidenceScope {
  readonly guest: number;
  readonly isSigner: boolean;
}

/** A record's parts, erased ones as hashes only, and its unerased entries that match a condition. */
async function readTexts(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  pool: string,
  id: string,
  isInScope: RawBuilder<unknown>,
): Promise<Pick<EvidenceRecord, 'parts' | 'entries'>> {
  const { rows: parts } = await sql<PartRow>`
select name, encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, body as text
from signing_part where pool = ${pool} and signing = ${id}`.execute(transaction);
  const { rows: entries } = await sql<EntryRow>`
select encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, body as text, body_encrypted as encrypted
from signing_entry where pool = ${pool} and signing = ${id} and salt is not null and ${isInScope} order by hash`.execute(
    transaction,
  );
  return {
    parts: parts
      .toSorted((one, other) => partNames.indexOf(one.name) - partNames.indexOf(other.name))
      .map(partOf),
    entries: entries.map(({ hash, salt, text, encrypted }) => ({
      hash,
      salt,
      text: encrypted === null ? (text ?? '') : encryption.decrypt(entryLocation(pool, id, hash), encrypted),
    })),
  };
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
  const texts = await readTexts(transaction, encryption, pool, id, isInScope);
  const { rows: photos } = await sql<{ id: string; data: string }>`
select id, translate(encode(data, 'base64'), E'\n', '') as data
from signing_photo where pool = ${pool} and signing = ${id} and data is not null and ${isInScope} order by id`.execute(
    transaction,
  );
  return { leaf, ...texts, photos };
}

/** A later record about the signing, with its position in the chain. */
interface Later {
  readonly sequence: number;
  readonly record: EvidenceRecord;
}

async function readLater(
  transaction: DatabaseTransaction,
  pool: string,
  signings: readonly SigningRow[],
): Promise<Later[]> {
  const { rows } = await sql<{ leaf: string; sequence: number; parts: readonly SealedPart[] }>`
select encode(leaf, 'hex') as leaf, sequence::integer as sequence, parts::json as parts
from signing_event
where pool = ${pool} and signing = any (${signings.map(({ id }) => id)}::text[]) and sequence is not null`.execute(
    transaction,
  );
  return rows.map(({ sequence, ...record }) => ({
    sequence,
    record: { ...record, entries: [], photos: [] },
  }));
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

/** The entries from each leaf to the next signed head, and from the first leaf to the stamped head. */
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
  e.signed_at, encode(e.signature, 'hex') as signature,
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
  const { rows } = await sql<
    SigningRow &
      EvidenceScope &
      ConfirmedRow & { readonly publicKey: string | null; readonly poolName: string | null }
  >`
select w.guest, w.is_signer, s.id, encode(s.leaf, 'hex') as leaf, s.sequence::integer as sequence,
  c.public_key, p.name as pool_name, s.reuse_of as confirmed, encode(o.leaf, 'hex') as confirmed_leaf,
  o.sequence::integer as confirmed_sequence, g.guest as confirmed_guest, g.is_signer as confirmed_is_signer
from signing_waiver w join signing s on s.pool = w.pool and s.id = w.signing
left join pool p on p.id = s.pool
left join evidence_chain c on c.pool = s.pool
left join signing o on o.pool = s.pool and o.id = s.reuse_of
left join waiver r on r.pool = w.pool and r.id = w.waiver_id
left join signing_waiver g on g.pool = w.pool and g.waiver_id = r.reuse_of
where w.pool = ${pool} and w.waiver_id = ${waiverId}`.execute(transaction);
  const [found] = rows;
  if (found === undefined) return undefined;
  const recordOf = (signing: SigningRow, { guest, isSigner }: EvidenceScope) =>
    readRecord(transaction, encryption, pool, signing, isOfGuestOnly ? { guest, isSigner } : undefined);
  const { id, confirmed, confirmedLeaf, confirmedSequence, confirmedGuest, confirmedIsSigner } = found;
  // The confirmed signing is the file's record; the confirmation is among the later ones.
  const signed: SigningRow =
    confirmed === null ? found : { id: confirmed, leaf: confirmedLeaf, sequence: confirmedSequence };
  const signedScope =
    confirmed === null ? found : { guest: confirmedGuest ?? -1, isSigner: confirmedIsSigner ?? false };
  const events = await readLater(transaction, pool, confirmed === null ? [found] : [signed, found]);
  const later =
    confirmed === null
      ? events
      : [...events, { sequence: found.sequence ?? 0, record: await recordOf(found, found) }];
  later.sort((one, other) => one.sequence - other.sequence);
  const { sequence } = signed;
  const isSealed = sequence !== null && found.sequence !== null;
  // For the confirmed signing: a chain up to the confirmation's stamp would contain every leaf of the months between.
  const stamp = isSealed ? await readStamp(transaction, pool, sequence) : undefined;
  const sequences = later.map((each) => each.sequence);
  const chain = isSealed ? await readChain(transaction, pool, [sequence, ...sequences], stamp?.sequence) : [];
  const file: EvidenceFile = {
    format: evidenceFormat,
    pool,
    publicKey: found.publicKey ?? '',
    record: await recordOf(signed, signedScope),
    later: later.map(({ record }) => record),
    chain,
    ...(stamp === undefined ? {} : { stamp }),
  };
  return { signing: id, poolName: found.poolName ?? pool, file };
}

const inSnapshot = <Result>(
  database: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> =>
  database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** Reads the unerased rest of a signing's record, without the photos, which are large. */
export function readSigningRecord(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  pool: string,
  { id, leaf }: Pick<SigningRow, 'id' | 'leaf'>,
): Promise<EvidenceRecord> {
  return inSnapshot(database, async (transaction) => {
    const texts = await readTexts(transaction, encryption, pool, id, sql`true`);
    return { leaf, ...texts, photos: [] };
  });
}

/**
 * Reads the unerased rest of the record of a waiver's signing, with its proofs, in one snapshot.
 * @param isOfGuestOnly omits the entries and photos of everyone else in the signing
 */
export function readEvidence(
  { database, encryption }: Pick<StoreContext, 'database' | 'encryption'>,
  pool: string,
  waiverId: string,
  { isOfGuestOnly = false }: { readonly isOfGuestOnly?: boolean } = {},
): Promise<StoredEvidence | undefined> {
  return inSnapshot(database, (transaction) => read(transaction, encryption, pool, waiverId, isOfGuestOnly));
}
