/** A step of the schema. docs/development.md has the rules that keep hosts of the previous version working. */
export type SchemaMigration = (TableMigration | IndexMigration) & {
  /** Only hosts that know this earlier migration can continue after this one. Omitted if every host can. */
  readonly needs?: string;
};

/**
 * Runs in a transaction; starts over if it does not get its locks. Functions that name tables fix the `search_path` that it
 * sets (`set search_path from current`), so that they work in every session: a replication's apply worker and a dump's
 * restore have an empty one.
 */
export interface TableMigration {
  readonly statements: readonly string[];
}

/** An index of a table that may be large: built while others write to it. */
export interface IndexMigration {
  readonly index: {
    readonly name: string;
    /** The rest of the statement after `on`: the table, the columns, the condition. */
    readonly on: string;
  };
}

export interface AppliedMigration {
  readonly name: string;
  /** {@link SchemaMigration.needs}; `''` for nothing. */
  readonly needs: string;
}

/**
 * Why a host that knows some migrations cannot use a database that has others, in a sentence; `undefined` if it can.
 * Unknown migrations are those of a newer version, which recorded what they need.
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
