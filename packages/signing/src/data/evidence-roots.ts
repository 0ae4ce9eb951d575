import { rowsOf } from '@waiver-service/database';
import { pathTo, rootOf } from '@waiver-service/evidence';
import type { DatabaseTransaction, StoreContext } from '@waiver-service/store/features';
import { sql } from 'kysely';
import type { OwnTables } from './tables.ts';

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
update evidence_root set due_at = now() + ${leaseMs}::double precision * interval '1 millisecond'
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
