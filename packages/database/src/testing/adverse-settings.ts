import { execute } from './test-database.ts';

/** Settings of a database that would change how statements are read, what they do or how values are written. */
export const adverseSettings = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'iso_8601',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  quote_all_identifiers: 'on',
  transform_null_equals: 'on',
  row_security: 'off',
  gin_fuzzy_search_limit: '1',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  'plpgsql.extra_errors': 'all',
  exit_on_error: 'on',
  statement_timeout: '1s',
  lock_timeout: '10ms',
  idle_in_transaction_session_timeout: '1s',
  idle_session_timeout: '1s',
  transaction_timeout: '1s',
  session_replication_role: 'replica',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
  enable_nestloop: 'off',
  enable_sort: 'off',
} as const satisfies Readonly<Record<string, string>>;

/** Sets settings of a database, for connections opened from now on. The server must be PostgreSQL 17 or newer for all. */
export async function setForDatabase(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const statements = Object.entries(settings).map(
    ([name, value]) =>
      `execute format('alter database %I set ${name} = %L', current_database(), '${value}');`,
  );
  await execute(databaseUrl, `do $$ begin ${statements.join(' ')} end $$`);
}
