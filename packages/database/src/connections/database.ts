import {
  CamelCasePlugin,
  type Kysely,
  type PluginTransformQueryArgs,
  type QueryExecutorProvider,
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
