import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase } from '@waiver-service/database/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const tablesOfStore = join(root, 'packages/store/src/database/tables.ts');
const tablesOfFeatures = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name, 'src/data/tables.ts'))
  .filter((path) => existsSync(path));

const typeNames: Readonly<Record<string, string>> = {
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
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{
    table: string;
    column: string;
    type: string;
    isNull: boolean;
    isLeftOut: boolean;
  }>(`
select table_name as table, column_name as column, udt_name as type, is_nullable = 'YES' as "isNull",
  is_nullable = 'YES' or column_default is not null or is_identity = 'YES'
    or is_generated = 'ALWAYS' as "isLeftOut"
from information_schema.columns where table_schema = current_schema() and table_name <> 'migration'`);
  await client.end();
  const columns = rows.map(({ table, column, type, isNull, isLeftOut }) => {
    const element = typeNames[type.replace(/^_/, '')] ?? `never /* ${type} */`;
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
  const types = [
    `import(${JSON.stringify(tablesOfStore)}).Tables`,
    ...tablesOfFeatures.map((path) => `import(${JSON.stringify(path)}).OwnTables`),
  ];
  await writeFile(
    file,
    `
type Tables = ${types.join(' & ')};
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
