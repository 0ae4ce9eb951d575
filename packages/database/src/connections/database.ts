import {
  CamelCasePlugin,
  type Kysely,
  type PluginTransformQueryArgs,
  type QueryExecutorProvider,
  type RawBuilder,
  type RootOperationNode,
  sql,
  type Transaction,
} from 'kysely';

/** Columns are in camel case in the query builder and in results, and in snake case in `sql` templates. */
export type Database<Tables> = Kysely<Tables>;

/** While a transaction is open, use it for every query, never the database that it was begun on. */
export type DatabaseTransaction<Tables> = Transaction<Tables>;

/** Whatever `sql` templates can be executed on: a database, a connection or a transaction. */
export type Queryable = QueryExecutorProvider;

/** Leaves the keys of JSON values as they are, and sends `sql` templates as written: rewriting one doubles its cost. */
class CamelCaseColumns extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return args.node.kind === 'RawNode' ? args.node : super.transformQuery(args);
  }
}

export const plugins = [new CamelCaseColumns()];

/** The database's clock, which all hosts share, truncated to the milliseconds that a `Date` holds. */
export const currentTime = sql<Date>`date_trunc('milliseconds', now())`;

/** An interval of so many milliseconds. */
export const milliseconds = (value: number): RawBuilder<unknown> =>
  sql`${value}::double precision * interval '1 millisecond'`;

/** A list or a search exceeded its time limit, and was canceled. */
export class ListTooSlow extends Error {
  override readonly name = 'ListTooSlow';
}

/** How long each statement of a list may take. */
export const maxListMs = 2_000;

const queryCanceled = '57014';

const isCanceled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === queryCanceled;

/**
 * Reads a list or a search, each of whose statements may take two seconds: none holds a connection for long.
 *
 * @throws ListTooSlow
 */
export async function readList<Tables, Result>(
  database: Database<Tables>,
  query: (limited: Database<Tables>) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction().execute(async (transaction) => {
      await sql.raw(`set local statement_timeout = ${maxListMs}`).execute(transaction);
      return query(transaction);
    });
  } catch (error) {
    if (isCanceled(error)) throw new ListTooSlow('the list was ended', { cause: error });
    throw error;
  }
}

const deadlockDetected = '40P01';
const maxAttempts = 5;

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === deadlockDetected;
}

/**
 * Retries a statement or a whole transaction that PostgreSQL aborted to resolve a deadlock. All statements lock in one
 * order, so a deadlock should never happen; if one does, the caller does not notice. Not for a statement inside a
 * transaction, which is aborted with it.
 */
export async function retryDeadlock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !isDeadlock(error)) throw error;
    }
  }
}
