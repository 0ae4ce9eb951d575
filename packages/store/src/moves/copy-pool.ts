import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { listTables } from '../backups/catalog.ts';
import type { SingleConnection } from '../backups/single-connection.ts';
import type { Database } from '../database/database.ts';
import { MoveProblem } from './move-problem.ts';
import { type MovedTable, poolTables } from './moved-tables.ts';

/** How far the copying is. */
export interface CopyProgress {
  readonly step: 'copying' | 'comparing';
  readonly table: string;
  /** Of how many tables this one is which. */
  readonly number: number;
  readonly tables: number;
  /** Of all tables so far. */
  readonly bytes: number;
}

export interface CopyOptions {
  readonly pool: string;
  /** In a transaction that reads one snapshot, of a pool that nothing changes. */
  readonly source: SingleConnection;
  /** In the transaction that the pool arrives with. */
  readonly target: SingleConnection;
  readonly onProgress: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The rows of a pool in a table. */
interface PoolTable extends MovedTable {
  readonly name: string;
  /** Those that are copied. */
  readonly columns: readonly string[];
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The tables with rows of pools, those that others refer to first. */
export async function listMovedTables(database: Database): Promise<readonly PoolTable[]> {
  return (await listTables(database)).flatMap(({ name, columns }) => {
    const table = poolTables[name];
    if (typeof table !== 'object') return [];
    return { ...table, name, columns: columns.filter((column) => !table.regenerated?.includes(column)) };
  });
}

/** The condition for the rows of a pool; COPY takes no parameters. */
export const rowsOfPool = (client: Client, { rows }: MovedTable, pool: string): string =>
  rows.replaceAll('$pool', client.escapeLiteral(pool));

const columnsOf = ({ columns }: PoolTable) => columns.map(quoted).join(', ');

interface Content {
  readonly rows: number;
  readonly checksum: string;
}

/**
 * The number of rows and a checksum in no order, which is the same in every version of PostgreSQL. Of the messages that
 * wait it has the places in their lanes, too.
 */
async function contentOf({ client }: SingleConnection, table: PoolTable, pool: string): Promise<Content> {
  const place =
    table.name === 'pending'
      ? ', row_number() over (partition by destination, ordering_key order by sequence) as place'
      : '';
  const { rows } = await client.query<{ rows: string; checksum: string }>(`
select count(*)::text as rows, coalesce(sum(('x' || left(md5(r::text), 15))::bit(60)::bigint), 0)::text as checksum
from (select ${columnsOf(table)}${place} from ${quoted(table.name)} where ${rowsOfPool(client, table, pool)}) r`);
  const [content] = rows;
  if (content === undefined) throw new Error(`nothing was counted in ${table.name}`);
  return { rows: Number(content.rows), checksum: content.checksum };
}

/** Copies the rows of a table into a table with the same columns. */
async function copyRows(
  { pool, source, target, signal }: CopyOptions,
  table: PoolTable,
  { into, order = '' }: { readonly into: string; readonly order?: string },
  onBytes: (bytes: number) => void,
): Promise<void> {
  const columns = columnsOf(table);
  const rows = rowsOfPool(source.client, table, pool);
  const out = source.client.query(
    copyTo(`copy (select ${columns} from ${quoted(table.name)} where ${rows} ${order}) to stdout`),
  );
  async function* counted(data: AsyncIterable<Buffer>) {
    for await (const part of data) {
      signal?.throwIfAborted();
      onBytes(part.length);
      yield part;
    }
  }
  await pipeline(out, counted, target.client.query(copyFrom(`copy ${quoted(into)} (${columns}) from stdin`)));
}

/** Messages that wait get places of this database, in the order of their places there. */
async function copyPending(
  options: CopyOptions,
  table: PoolTable,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { client } = options.target;
  const columns = columnsOf(table);
  await client.query(`
create temporary table moving_pending on commit drop as select ${columns} from pending with no data;
alter table moving_pending add position bigint generated always as identity`);
  await copyRows(options, table, { into: 'moving_pending', order: 'order by sequence' }, onBytes);
  await client.query(`
insert into pending (${columns}, sequence)
select ${columns}, nextval('outbox_sequence') from (select * from moving_pending order by position) m`);
}

const copyTable = (options: CopyOptions, table: PoolTable, onBytes: (bytes: number) => void) =>
  table.name === 'pending'
    ? copyPending(options, table, onBytes)
    : copyRows(options, table, { into: table.name }, onBytes);

/**
 * Destinations that share a row per cell must point at the target's row; its windows are set by the next host that
 * starts.
 */
async function addSharedBudgets({ source, target, pool }: CopyOptions): Promise<void> {
  const { rows } = await sql<{ id: string; requests: number[]; window_ms: number[] }>`
select b.id, b.requests, b.window_ms from request_budget b
where b.id in (select t.request_budget from destination t where t.pool = ${pool} and t.request_budget <> t.id)`.execute(
    source.database,
  );
  for (const { id, requests, window_ms } of rows) {
    await sql`
insert into request_budget (id, requests, window_ms) values (${id}, ${requests}, ${window_ms})
on conflict (id) do nothing`.execute(target.database);
  }
}

/** Whatever concerns addresses and hosts of the cell. */
async function adjust({ database }: SingleConnection, pool: string): Promise<void> {
  // The vendor calls the former address until it has been told this one.
  await sql`
update vendor_webhook set due_at = now(), attempts = 0, request = request + 1, leased_until = '-infinity',
  state = case when state in ('off', 'removing') then state else 'registering' end
where pool = ${pool}`.execute(database);
  await sql`
update booking_changes set claimed = false, due_at = case when claimed then now() else due_at end
where pool = ${pool}`.execute(database);
}

/** Hosts may count for a destination after it has gone: what they left there the last time is in the way. */
async function removeFormerCounts({ source, target, pool }: CopyOptions): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from destination where pool = ${pool}`.execute(
    source.database,
  );
  const ids = rows.map(({ id }) => id);
  await sql`delete from destination_activity where destination = any (${ids}::text[])`.execute(
    target.database,
  );
}

/**
 * Copies the rows of a pool, and compares them with what was read.
 *
 * @returns the number of rows
 * @throws MoveProblem if they are not the same
 */
export async function copyPool(options: CopyOptions): Promise<number> {
  const { pool, source, target, onProgress, signal } = options;
  const tables = await listMovedTables(target.database);
  await removeFormerCounts(options);
  let bytes = 0;
  for (const [index, table] of tables.entries()) {
    await copyTable(options, table, (more) => {
      bytes += more;
      onProgress({ step: 'copying', table: table.name, number: index + 1, tables: tables.length, bytes });
    });
  }
  // After the last one, because the rows of some tables are found by those of others.
  let rows = 0;
  for (const [index, table] of tables.entries()) {
    onProgress({ step: 'comparing', table: table.name, number: index + 1, tables: tables.length, bytes });
    signal?.throwIfAborted();
    const [there, here] = await Promise.all([contentOf(source, table, pool), contentOf(target, table, pool)]);
    if (there.rows !== here.rows || there.checksum !== here.checksum) {
      throw new MoveProblem(
        `the rows of ${table.name} did not arrive as they are here (${here.rows} of ${there.rows}): nothing was moved`,
      );
    }
    rows += here.rows;
  }
  await addSharedBudgets(options);
  await adjust(target, pool);
  return rows;
}
