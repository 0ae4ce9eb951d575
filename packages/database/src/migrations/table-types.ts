import type { ColumnType } from 'kysely';

// The compiler reads the types of all tables from the migrations' statements, so that a column stands in these only. It
// relies on their layout: `create table name (`, one column or constraint a line, begun by two spaces and its name, and
// `)` on a line of its own; `alter table name add column …;`. tables.test.ts compares the types with a migrated database.

interface Types {
  readonly bigint: number;
  readonly boolean: boolean;
  readonly bytea: Buffer;
  readonly date: string;
  readonly 'double precision': number;
  readonly integer: number;
  readonly smallint: number;
  readonly text: string;
  readonly timestamptz: Date;
  readonly uuid: string;
  readonly xid8: string;
}

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

type LinesOf<Text extends string, Read = never> = Text extends `${infer Line}\n${infer Rest}`
  ? LinesOf<Rest, Read | Line>
  : Read | Text;

/** The values in `'a', 'b'`. */
type ValuesOf<List> = List extends `'${infer Value}'${infer Rest}`
  ? Value | (Rest extends `, ${infer Others}` ? ValuesOf<Others> : never)
  : never;

/** What is read of a column; of a text with `check (name in (…))`, the values that it may have. */
type ReadOf<Definition> = Definition extends `text ${string}check (${string} in (${infer List}))${string}`
  ? ValuesOf<List>
  : {
      [Type in keyof Types]: Definition extends `${Type}[]${string}`
        ? Types[Type][]
        : Definition extends `${Type}${string}`
          ? Types[Type]
          : never;
    }[keyof Types];

/** What is written to a column. */
type WrittenOf<Read> = Read extends readonly (infer Element)[] ? readonly Element[] : Read;

type ColumnOf<Definition, Read = ReadOf<Definition>> = Definition extends
  | `${string}not null${string}`
  | `${string}primary key${string}`
  ? Definition extends `${string}default ${string}` | `${string}generated ${string}`
    ? ColumnType<Read, WrittenOf<Read> | undefined, WrittenOf<Read>>
    : ColumnType<Read, WrittenOf<Read>>
  : ColumnType<Read | null, WrittenOf<Read> | null | undefined, WrittenOf<Read> | null>;

type NotAColumn = '' | '--' | 'check' | 'constraint' | 'foreign' | 'primary' | 'unique';

type ColumnsOf<Line> = {
  [Column in Line as Column extends `  ${infer Name} ${string}`
    ? CamelCase<Exclude<Name, NotAColumn>>
    : never]: Column extends `  ${string} ${infer Definition}` ? ColumnOf<Definition> : never;
};

type CreatedBy<
  Statements extends string,
  Read = unknown,
> = Statements extends `${string}create table ${infer Name} (${infer Body}\n)${infer Rest}`
  ? CreatedBy<Rest, Read & { readonly [Table in CamelCase<Name>]: ColumnsOf<LinesOf<Body>> }>
  : Read;

type AddedBy<
  Statements extends string,
  Read = unknown,
> = Statements extends `${string}alter table ${infer Name} add column ${infer Column};${infer Rest}`
  ? AddedBy<Rest, Read & { readonly [Table in CamelCase<Name>]: ColumnsOf<`  ${Column}`> }>
  : Read;

type TablesOfScripts<Scripts, Read = unknown> = Scripts extends readonly [
  infer First extends string,
  ...infer Rest,
]
  ? TablesOfScripts<Rest, Read & CreatedBy<First> & AddedBy<First>>
  : Read;

type UnionToIntersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Intersection,
) => void
  ? Intersection
  : never;

type AllTables<Migrations> = UnionToIntersection<
  {
    [Name in keyof Migrations]: Migrations[Name] extends { readonly statements: infer Scripts }
      ? TablesOfScripts<Scripts>
      : never;
  }[keyof Migrations]
>;

/** The tables that migrations make, with their columns in camel case. `Migrations` are a `const` by their names. */
export type TablesOf<Migrations> = {
  [Table in keyof AllTables<Migrations>]: {
    [Column in keyof AllTables<Migrations>[Table]]: AllTables<Migrations>[Table][Column];
  };
};
