import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile, Workspace, WorkspacePackage } from './workspace.ts';

const largeTables =
  'waiver|waiver_version|waiver_search|delivery|pending|ended|attempt|audit_entry|cached_booking';
const contracting = /\bdrop (?:table|column)\b|\brename (?:to|column)\b|\bset not null\b/i;
const lockingIndex = new RegExp(`\\bcreate (?:unique )?index \\w+\\s+on (?:${largeTables})\\b`, 'i');
const migrationFile = /^packages\/[^/]+\/src\/(?:data\/)?migrations\/\d{4}-[^/]+\.ts$/;

/**
 * Reasons why hosts of the previous version could not keep running beside a migration; docs/development.md has the
 * rules.
 */
export function findMigrationProblems({ packages }: Pick<Workspace, 'packages'>): string[] {
  return packages.flatMap(({ files }) => files.flatMap(problemsOf));
}

function problemsOf({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  if (!migrationFile.test(path)) return [];
  const problems: string[] = [];
  if (contracting.test(text) && !/\bneeds:/.test(text)) {
    problems.push(`${path}: takes away what hosts of the version before may use; say what it \`needs\``);
  }
  if (lockingIndex.test(text)) {
    problems.push(`${path}: builds an index of a large table while writers wait; use \`index\` instead`);
  }
  return problems;
}

const declaring =
  /^packages\/(?:database\/src\/encryption\/|store\/src\/migrations\/|[^/]+\/src\/data\/(?:migrations\/|tables\.ts$))/;
const created = /\bcreate table (\w+) \(/g;
const inSql = /\b(?:(?<!distinct )from|join|into|update|using|lock table) (\w+)\b/g;
const inBuilder = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|(?:inner|left)Join)\('(\w+)/g;
const writtenInSql = /\b(?:insert into|update|delete from) (\w+)\b/g;
const writtenInBuilder = /\b(?:insertInto|updateTable|deleteFrom)\('(\w+)/g;
const inRule = /\btable: '(\w+)'/g;
const opening = /^Open to others: ([^.]*)\./m;

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/**
 * Statements on tables of another package. A README lists those of its package that are open to others, which may read
 * them.
 */
export function findForeignTables({ root, packages }: Workspace): string[] {
  return foreignTables(packages, ({ folder }) => readFileSync(join(root, folder, 'README.md'), 'utf8'));
}

/** @param readmeOf - of a package with tables */
export function foreignTables(
  packages: readonly (Pick<WorkspacePackage, 'folder'> & {
    readonly files: readonly Pick<SourceFile, 'path' | 'text'>[];
  })[],
  readmeOf: (owner: Pick<WorkspacePackage, 'folder'>) => string,
): string[] {
  const owners = new Map<string, string>();
  const open = new Set<string>();
  for (const { folder, files } of packages) {
    const tables = files.flatMap(({ path, text }) => (declaring.test(path) ? named(text, created) : []));
    for (const table of tables) owners.set(table, folder);
    if (tables.length === 0) continue;
    const [, list = ''] = opening.exec(readmeOf({ folder })) ?? [];
    for (const table of named(list, /`(\w+)`/g)) open.add(table);
  }
  return packages.flatMap(({ folder, files }) =>
    files.flatMap(({ path, text }) => {
      if (!path.startsWith(`${folder}/src/`) || path.includes('/testing/') || folder.startsWith('tools'))
        return [];
      const tablesIn = (...patterns: readonly RegExp[]) =>
        new Set(patterns.flatMap((pattern) => named(text, pattern)).map(snakeCase));
      const written = tablesIn(writtenInSql, writtenInBuilder, inRule);
      return [...new Set([...tablesIn(inSql, inBuilder), ...written])].flatMap((table) => {
        const owner = owners.get(table) ?? folder;
        if (owner === folder) return [];
        if (!open.has(table))
          return `${path}: a statement on "${table}", which is of ${owner}: call its functions, or open the table in its README`;
        return written.has(table)
          ? `${path}: changes "${table}", which is of ${owner}: call its functions`
          : [];
      });
    }),
  );
}
