import type { QueryExecutorProvider } from 'kysely';

/** A step of the schema. docs/development.md has the rules that let hosts of the version before go on. */
export type SchemaMigration = (TableMigration | IndexMigration) & {
  /** Only hosts that know this former migration can go on after this one. Left out where every host can. */
  readonly needs?: string;
};

/** Runs in a transaction, and again from the beginning where it does not get its locks. */
export interface TableMigration {
  up(database: QueryExecutorProvider): Promise<void>;
}

/** An index of a table that may be large: built while others write to it. */
export interface IndexMigration {
  readonly index: {
    readonly name: string;
    /** The rest of the statement behind `on`: the table, the columns, the condition. */
    readonly on: string;
  };
}

/** A migration as the database has recorded it. */
export interface AppliedMigration {
  readonly name: string;
  /** {@link SchemaMigration.needs}; `''` for nothing. */
  readonly needs: string;
}

/**
 * Why a host that knows some migrations cannot use a database that has others, in a sentence; `undefined` where it can.
 * Unknown migrations are those of a newer version, which has said what they need.
 */
export function whyTooOld(
  applied: readonly AppliedMigration[],
  known: ReadonlySet<string>,
): string | undefined {
  for (const { name, needs } of applied) {
    if (known.has(name) || needs === '' || known.has(needs)) continue;
    return `the database was migrated by a newer version of the waiver service, and its ${name} needs a version with ${needs}: start that version`;
  }
  return undefined;
}
