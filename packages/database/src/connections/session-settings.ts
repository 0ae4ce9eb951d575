import { sql } from 'kysely';
import type { Queryable } from './database.ts';

/**
 * The settings that our statements depend on, and that `alter database … set` or `alter role … set` could change: how
 * values are read and written, what a statement means, and what ends one.
 *
 * Left to the operator: `search_path`, which chooses the schema, and `default_transaction_read_only`, by which providers
 * protect a full disk (a host says so if either prevents its work); `synchronous_commit`, which the doctor reports; and
 * memory, costs, tablespaces and logging.
 */
const relied: Readonly<Record<string, string>> = {
  // How values are written and read.
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  xmlbinary: 'base64',
  xmloption: 'content',
  // What a statement means.
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  quote_all_identifiers: 'off',
  transform_null_equals: 'off',
  row_security: 'on',
  gin_fuzzy_search_limit: '0',
  default_table_access_method: 'heap',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  'plpgsql.extra_errors': 'none',
  // What ends a statement or a connection.
  exit_on_error: 'off',
  lock_timeout: '0',
  idle_session_timeout: '0',
};

/** PostgreSQL's planner switches, of versions 14 to 18: no operator's experiment makes each statement scan a table. */
export const plannerSwitches: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...[
        'async_append',
        'bitmapscan',
        'distinct_reordering',
        'gathermerge',
        'group_by_reordering',
        'hashagg',
      ],
      ...['hashjoin', 'incremental_sort', 'indexonlyscan', 'indexscan', 'material', 'memoize', 'mergejoin'],
      ...['nestloop', 'parallel_append', 'parallel_hash', 'partition_pruning', 'presorted_aggregate'],
      ...['self_join_elimination', 'seqscan', 'sort', 'tidscan'],
    ].map((name) => [`enable_${name}`, 'on']),
  ),
  enable_partitionwise_aggregate: 'off',
  enable_partitionwise_join: 'off',
};

/** Known to some of the supported versions only. */
const reliedIfKnown: Readonly<Record<string, string>> = {
  ...plannerSwitches,
  transaction_timeout: '0',
  restrict_nonsystem_relation_kind: '',
  event_triggers: 'on',
};

/** Only a superuser may set them; see {@link whyUnsuitableSession}. */
const reliedBySuperusers: Readonly<Record<string, string>> = { session_replication_role: 'origin' };

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const valuesOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `(${quoted(name)}, ${quoted(value)})`)
    .join(', ');

export interface SessionLimits {
  /** 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** 0 for no limit. */
  readonly idleInTransactionTimeoutMs: number;
}

/**
 * The statement that a connection begins with. Not startup parameters, which poolers refuse. Does not read `pg_settings`:
 * PostgreSQL would describe hundreds of settings for each connection.
 */
export function sessionStatements({ statementTimeoutMs, idleInTransactionTimeoutMs }: SessionLimits): string {
  const always = {
    ...relied,
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleInTransactionTimeoutMs),
  };
  const superuserNames = Object.keys(reliedBySuperusers).map(quoted).join(', ');
  return `select set_config(name, value, false) from (values ${valuesOf(always)}) relied (name, value)
union all
select set_config(name, value, false) from (values ${valuesOf({ ...reliedIfKnown, ...reliedBySuperusers })}) known (name, value)
  where current_setting(name, true) <> value
    and (name not in (${superuserNames}) or current_setting('is_superuser') = 'on')`;
}

interface FoundSession {
  readonly replicationRole: string;
  readonly searchPath: string;
  readonly hasTables: boolean;
  readonly schemaWithTables: string | null;
}

/**
 * Why the database's or the role's settings prevent the service's work although a connection has begun with
 * {@link sessionStatements}: a sentence with the remedy, or `undefined`.
 */
export async function whyUnsuitableSession(database: Queryable): Promise<string | undefined> {
  const { rows } = await sql<FoundSession>`
select current_setting('session_replication_role') as "replicationRole", current_setting('search_path') as "searchPath",
  to_regclass('migration') is not null as "hasTables",
  (select min(n.nspname::text) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'migration' and has_schema_privilege(n.oid, 'usage')
      and exists (select from pg_class w where w.relname = 'waiver_version' and w.relnamespace = c.relnamespace)
  ) as "schemaWithTables"`.execute(database);
  const [found] = rows;
  if (found === undefined) return undefined;
  if (found.replicationRole !== 'origin') {
    return `session_replication_role is ${found.replicationRole}, so triggers do not run, and only a superuser may change it: reset it (alter database … reset session_replication_role, or alter role … reset …)`;
  }
  if (!found.hasTables && found.schemaWithTables !== null) {
    return `the tables of the waiver service are in the schema ${found.schemaWithTables}, and the search_path (${found.searchPath}) does not lead there: reset it (alter database … reset search_path, or alter role … reset …). Another service needs a database to itself`;
  }
  return undefined;
}
