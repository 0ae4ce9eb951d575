import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase } from '@waiver-service/database/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../setup/open-database.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const tables = fileURLToPath(new URL('../../src/database/tables.ts', import.meta.url));

const types: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  xid8: 'string',
};

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The type of what a migrated database's tables have: what is read of a column, and whether an insert may leave it out. */
async function typeOfDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { rows } = await sql<{
    table: string;
    column: string;
    type: string;
    isNull: boolean;
    isLeftOut: boolean;
  }>`
select table_name as table, column_name as column, udt_name as type, is_nullable = 'YES' as is_null,
  is_nullable = 'YES' or column_default is not null or is_identity = 'YES'
    or is_generated = 'ALWAYS' as is_left_out
from information_schema.columns where table_schema = current_schema() and table_name <> 'migration'`.execute(
    openDatabase(url),
  );
  const columns = rows.map(({ table, column, type, isNull, isLeftOut }) => {
    const element = types[type.replace(/^_/, '')] ?? `never /* ${type} */`;
    const read = `${element}${type.startsWith('_') ? '[]' : ''}${isNull ? ' | null' : ''}`;
    return { table, text: `${camelCase(column)}: [${read}, ${isLeftOut}];` };
  });
  return [...Map.groupBy(columns, ({ table }) => table)]
    .map(([table, of]) => `${camelCase(table)}: { ${of.map(({ text }) => text).join(' ')} };`)
    .join('\n');
}

test('the types of the tables are those of a migrated database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'compare.ts');
  await writeFile(
    file,
    `
type Tables = import(${JSON.stringify(tables)}).Tables;
interface Database {
${await typeOfDatabase()}
}
type Widened<Value> = Value extends string ? string : Value;
type Declared = { [Table in keyof Tables]: { [Column in keyof Tables[Table]]:
  Tables[Table][Column] extends { readonly __select__: infer Read; readonly __insert__: infer Written }
    ? [Widened<Read>, undefined extends Written ? true : false] : never } };
declare const database: Database;
declare const declared: Declared;
export const declaredOf: Declared = database;
export const databaseOf: Database = declared;
export const noOtherTable: Exclude<keyof Tables, keyof Database> extends never ? true : false = true;
`,
  );
  const flags =
    '--noEmit --strict --target es2024 --module nodenext --allowImportingTsExtensions --skipLibCheck --ignoreConfig';
  const compiled = promisify(execFile)(
    join(root, 'node_modules/.bin/tsc'),
    [...flags.split(' '), '--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), file],
    { cwd: root },
  );
  await expect(
    compiled.then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    ),
  ).resolves.toBe('');
});
