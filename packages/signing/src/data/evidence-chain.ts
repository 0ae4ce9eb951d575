import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  type BackgroundJob,
  type Encryption,
  locate,
  milliseconds,
  prepared,
  rowsOf,
} from '@waiver-service/database';
import {
  firstHead,
  type Head,
  type LaterCore,
  nextHead,
  pathTo,
  publicKeyText,
  rootOf,
  sealRecord,
  signHead,
} from '@waiver-service/evidence';
import type { DatabaseTransaction, StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { z } from 'zod';
import { encryptedColumns, type OwnTables } from './tables.ts';

/** An event after a signing that is yet to be sealed. */
interface UnsealedEvent {
  readonly id: string;
  readonly kind: 'correction' | 'void' | 'erasure';
  readonly at: Date;
  readonly waiverId: string | null;
  /** JSON. */
  readonly erased: string | null;
  /** The leaf of the signing. */
  readonly of: string;
  readonly actor: string | null;
  /** JSON, as in `waiver_version`; also null if the version is gone. */
  readonly fieldChanges: string | null;
  readonly answerChanges: string | null;
}

const fieldChangesSchema = z.array(z.object({ field: z.string() }));
const answerChangesSchema = z.record(z.string(), z.unknown());
const erasedSchema = z.object({
  parts: z.array(z.enum(['core', 'person', 'sensitive', 'ink', 'trace'])),
  entries: z.array(z.string()),
  photos: z.array(z.string()),
});

const changedNames = ({ fieldChanges, answerChanges }: UnsealedEvent): readonly string[] => [
  ...fieldChangesSchema.parse(JSON.parse(fieldChanges ?? '[]')).map(({ field }) => field),
  ...Object.keys(answerChangesSchema.parse(JSON.parse(answerChanges ?? '{}'))),
];

/** The core part of a later record: the names of what was changed, without values. */
function laterCore(event: UnsealedEvent): LaterCore {
  const about = { of: event.of, at: event.at.toISOString() };
  if (event.kind === 'erasure') {
    return { kind: 'erasure', ...about, ...erasedSchema.parse(JSON.parse(event.erased ?? '')) };
  }
  const waivers = event.waiverId === null ? [] : [event.waiverId];
  return { kind: event.kind, ...about, waivers, by: event.actor, changed: [...changedNames(event)] };
}

/** Signings that are not in the chain yet, and unsealed events of those that are. */
interface Unsealed {
  readonly signings: readonly { readonly id: string; readonly leaf: string }[];
  readonly events: readonly UnsealedEvent[];
}

interface Chain extends Head {
  readonly encryptedKey: string;
  /** By the database's clock, as of what is sealed: by a host's that is behind, it would be sealed before it happened. */
  readonly lockedAt: Date;
}

const maxPools = 50;
const maxLeaves = 500;

/** Pools with unsealed records, in id order, so that a pool with many does not starve the others. */
async function findPools({ database }: StoreContext, after: string): Promise<readonly string[]> {
  const { rows } = await sql<{ pool: string }>`
select pool from signing where sequence is null and pool > ${after}
union
select pool from signing_event where sequence is null and pool > ${after}
order by pool limit ${maxPools}`.execute(database);
  return rows.map(({ pool }) => pool);
}

/** Begins a pool's chain, with its own key. */
async function beginChain(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  pool: string,
): Promise<void> {
  const { rows } = await sql`select from evidence_chain where pool = ${pool}`.execute(transaction);
  if (rows.length > 0) return;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const exported = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await sql`
insert into evidence_chain (pool, public_key, private_key_encrypted, head)
values (${pool}, ${publicKeyText(publicKey)},
  ${encryption.encrypt(locate(encryptedColumns.evidenceKey, pool), exported)}, decode(${firstHead(pool).head}, 'hex'))
on conflict (pool) do nothing`.execute(transaction);
}

/** Locks the chain; undefined if another host has locked it. */
async function lockChain(transaction: DatabaseTransaction, pool: string): Promise<Chain | undefined> {
  const { rows } = await sql<{ sequence: string; head: string; encryptedKey: string; lockedAt: Date }>`
select sequence::text, encode(head, 'hex') as head, private_key_encrypted as encrypted_key,
  date_trunc('milliseconds', clock_timestamp()) as locked_at
from evidence_chain where pool = ${pool} for update skip locked`.execute(transaction);
  const [row] = rows;
  return row && { ...row, sequence: Number(row.sequence) };
}

async function readUnsealed(transaction: DatabaseTransaction, pool: string): Promise<Unsealed> {
  const { rows: signings } = await sql<{ id: string; leaf: string }>`${prepared}
select id, encode(leaf, 'hex') as leaf from signing where pool = ${pool} and sequence is null
order by received_at, id limit ${maxLeaves}::integer`.execute(transaction);
  // An event must follow its signing in the chain: events of an unsealed signing wait for the next batch.
  const { rows: events } = await sql<UnsealedEvent>`${prepared}
select e.id::text, e.kind, e.at, e.waiver_id, e.erased, encode(s.leaf, 'hex') as "of", v.actor,
  v.field_changes, v.answer_changes
from signing_event e
join signing s on s.pool = e.pool and s.id = e.signing and s.sequence is not null
left join waiver_version v on v.pool = e.pool and v.waiver_id = e.waiver_id and v.version = e.version
where e.pool = ${pool} and e.sequence is null order by e.id limit ${maxLeaves}::integer`.execute(transaction);
  return { signings, events };
}

/** Appends leaves to the chain of a pool, and signs its new head. @returns whether there may be more at once */
async function sealPool(
  transaction: DatabaseTransaction,
  encryption: Encryption,
  pool: string,
): Promise<boolean> {
  await beginChain(transaction, encryption, pool);
  const chain = await lockChain(transaction, pool);
  if (chain === undefined) return false;
  const { signings, events } = await readUnsealed(transaction, pool);
  let head: Head = chain;
  const append = (leaf: string) => {
    head = nextHead(head, leaf);
    return { sequence: head.sequence, leaf, head: head.head };
  };
  const sealedSignings = signings.map(({ id, leaf }) => ({ id, ...append(leaf) }));
  const sealedEvents = events.map((event) => {
    const record = sealRecord({
      core: laterCore(event),
      person: null,
      sensitive: null,
      ink: null,
      trace: null,
    });
    return { id: event.id, parts: JSON.stringify(record.parts), ...append(record.leaf) };
  });
  const entries = [...sealedSignings, ...sealedEvents];
  if (entries.length === 0) return false;
  const key = createPrivateKey(
    encryption.decrypt(locate(encryptedColumns.evidenceKey, pool), chain.encryptedKey),
  );
  const { at, signature } = signHead(pool, head, chain.lockedAt, key);
  await sql`${prepared}
with entries as (
  insert into evidence_entry (pool, sequence, leaf, head, signed_at, signature)
  select ${pool}, e.sequence, decode(e.leaf, 'hex'), decode(e.head, 'hex'),
    case when e.sequence = ${head.sequence}::bigint then ${at}::timestamptz end,
    case when e.sequence = ${head.sequence}::bigint then decode(${signature}, 'hex') end
  from ${rowsOf(
    entries.map(({ sequence, leaf, head: value }) => ({ sequence, leaf, head: value })),
    'e',
    { sequence: 'bigint', leaf: 'text', head: 'text' },
  )}),
signings as (
  update signing s set sequence = n.sequence
  from ${rowsOf(
    sealedSignings.map(({ id, sequence }) => ({ id, sequence })),
    'n',
    { id: 'text', sequence: 'bigint' },
  )}
  -- The array leaves PostgreSQL only the key: it would join all of the pool's signings while statistics are poor.
  where s.pool = ${pool} and s.id = n.id and s.id = any (${sealedSignings.map(({ id }) => id)}::text[])),
events as (
  update signing_event v set sequence = n.sequence, leaf = decode(n.leaf, 'hex'), parts = n.parts
  from ${rowsOf(
    sealedEvents.map(({ id, sequence, leaf, parts }) => ({ id: Number(id), sequence, leaf, parts })),
    'n',
    { id: 'bigint', sequence: 'bigint', leaf: 'text', parts: 'text' },
  )}
  where v.id = n.id)
update evidence_chain set sequence = ${head.sequence}::bigint, head = decode(${head.head}, 'hex') where pool = ${pool}`.execute(
    transaction,
  );
  return signings.length === maxLeaves || events.length === maxLeaves;
}

/**
 * The job that appends new records to the chains of their pools: those of two seconds together, so that neither a guest
 * nor another signing waits for a chain. Several hosts may run it; each skips chains that another one has locked. A pool
 * that cannot be sealed, for example because its key does not decrypt, does not stop the others: the first failure is
 * thrown once they are sealed.
 */
export function createSealJob(context: StoreContext): BackgroundJob {
  const { database, encryption } = context;
  let after = '';
  return {
    name: 'sealing signed records',
    async runBatch() {
      const pools = await findPools(context, after);
      after = (pools.length === maxPools && pools.at(-1)) || '';
      let hasMore = after !== '';
      const failures: Error[] = [];
      for (const pool of pools) {
        try {
          const isFull = await database
            .transaction()
            .execute((transaction) => sealPool(transaction, encryption, pool));
          hasMore ||= isFull;
        } catch (cause) {
          const reason = cause instanceof Error ? cause.message : String(cause);
          failures.push(new Error(`pool ${pool}: ${reason}`, { cause }));
        }
      }
      const [failure] = failures;
      if (failure !== undefined) throw failure;
      return hasMore;
    },
  };
}

/** An unstamped root of a day (UTC), over the heads of the chains that grew since their last root. */
export interface UnstampedRoot {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Hexadecimal SHA-256. */
  readonly root: string;
}

interface GrownChain {
  readonly pool: string;
  readonly sequence: number;
  readonly head: string;
}

const leaseMs = 5 * 60_000;
const yesterday = sql`((now() at time zone 'UTC')::date - 1)`;

async function readGrown(transaction: DatabaseTransaction): Promise<readonly GrownChain[]> {
  const { rows } = await sql<GrownChain>`
select c.pool, c.sequence::integer as sequence, encode(c.head, 'hex') as head from evidence_chain c
where c.sequence > coalesce((select max(h.sequence) from evidence_root_head h where h.pool = c.pool), 0)
order by c.pool`.execute(transaction);
  return rows;
}

async function makeRoot(transaction: DatabaseTransaction): Promise<void> {
  const { rows } = await sql`select from evidence_root where day = ${yesterday}`.execute(transaction);
  if (rows.length > 0) return;
  const chains = await readGrown(transaction);
  if (chains.length === 0) return;
  const heads = chains.map(({ head }) => head);
  const paths = chains.map(({ pool, sequence, head }, index) => ({
    pool,
    sequence,
    head,
    path: JSON.stringify(pathTo(heads, index)),
  }));
  // Only one of several concurrent hosts makes it.
  await sql`
with made as (
  insert into evidence_root (day, root) values (${yesterday}, decode(${rootOf(heads)}, 'hex'))
  on conflict (day) do nothing returning day)
insert into evidence_root_head (day, pool, sequence, head, path)
select made.day, h.pool, h.sequence, decode(h.head, 'hex'), h.path
from made cross join ${rowsOf(paths, 'h', { pool: 'text', sequence: 'bigint', head: 'text', path: 'text' })}`.execute(
    transaction,
  );
}

/** The daily roots, and their stamps by an outside authority. */
export function createEvidenceRoots({ database }: StoreContext) {
  return {
    /** Makes yesterday's root, unless there is one or no chain has grown. Any host may call it at any time. */
    make: (): Promise<void> => database.transaction().execute(makeRoot),
    /** Claims a root that is due to be stamped; no host gets it again for five minutes. */
    async takeDue(): Promise<UnstampedRoot | undefined> {
      const { rows } = await sql<UnstampedRoot>`
update evidence_root set due_at = now() + ${milliseconds(leaseMs)}
where day = (
  select day from evidence_root where token is null and due_at <= now() order by day limit 1 for update skip locked)
returning day::text, encode(root, 'hex') as root`.execute(database);
      return rows[0];
    },
    /** @param token the time-stamp token of RFC 3161, in DER */
    async recordStamp(day: string, token: Buffer, at: Date): Promise<void> {
      await database
        .withTables<OwnTables>()
        .updateTable('evidenceRoot')
        .set({ token, stampedAt: at, failure: null })
        .where('day', '=', day)
        .where('token', 'is', null)
        .execute();
    },
    /** Records why stamping failed; it is retried with backoff. */
    async recordFailure(day: string, message: string): Promise<void> {
      await database
        .withTables<OwnTables>()
        .updateTable('evidenceRoot')
        .set({
          attempts: sql<number>`attempts + 1`,
          failure: message,
          dueAt: sql<Date>`now() + least(interval '6 hours', interval '1 minute' * power(2, least(attempts, 10)))`,
        })
        .where('day', '=', day)
        .where('token', 'is', null)
        .execute();
    },
  };
}
