import { Client } from 'pg';
import { z } from 'zod';

/** A table including its partitions. Sizes are in bytes. */
export interface TableFigures {
  readonly name: string;
  readonly tableBytes: number;
  readonly indexBytes: number;
  readonly deadRows: number;
}

/** The contents of a database at one moment. */
export interface DatabaseFigures {
  readonly connections: number;
  /** Messages that are waiting or in flight. */
  readonly waiting: number;
  readonly databaseBytes: number;
  /** Bytes of the write-ahead log since the cluster was created, and of its files. */
  readonly walPosition: number;
  readonly walFileBytes: number;
  readonly tables: readonly TableFigures[];
}

const figuresSchema = z.strictObject({
  connections: z.coerce.number(),
  waiting: z.coerce.number(),
  databaseBytes: z.coerce.number(),
  walPosition: z.coerce.number(),
  walFileBytes: z.coerce.number(),
});

const tablesSchema = z.array(
  z.strictObject({
    name: z.string(),
    tableBytes: z.coerce.number(),
    indexBytes: z.coerce.number(),
    deadRows: z.coerce.number(),
  }),
);

const readFigures = `
select (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as connections,
  (select count(*) from pending) as waiting,
  pg_database_size(current_database()) as "databaseBytes",
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as "walPosition",
  (select sum(size) from pg_ls_waldir()) as "walFileBytes"`;

const readTables = `
select coalesce(pg_partition_root(relid), relid)::regclass::text as name, sum(pg_table_size(relid)) as "tableBytes",
  sum(pg_indexes_size(relid)) as "indexBytes", sum(n_dead_tup) as "deadRows"
from pg_stat_user_tables group by 1 order by 1`;

/** Opens a separate connection, which is not counted. */
export async function openDatabaseFigures(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async read(): Promise<DatabaseFigures> {
      const figures = await client.query(readFigures);
      const tables = await client.query(readTables);
      return { ...figuresSchema.parse(figures.rows[0]), tables: tablesSchema.parse(tables.rows) };
    },
    close: () => client.end(),
  };
}
