import type { SourceFile, Workspace } from './workspace.ts';

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
