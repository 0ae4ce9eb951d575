import { type ColumnType, columnName, prepared, rowsOf } from '@waiver-service/database';
import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';

/*
 * The table `waiver`: a column for each field of a record, and
 *
 *   content_hash  SHA-256 of the content it was created with; detects a repeated request, even after later changes
 *   changed_in    the transaction (xid8) of its last change; orders the changes
 *   hold_reason, held_by, held_at
 *                 why, by whom and since when it is kept; not a change of the record
 *   erasure       the id of the erasure it belongs to, which hides it from everything but that job
 *   erased_at     since when the row holds nothing but the id: a tombstone
 *
 * The table `waiver_id (id, pool)` is never partitioned: ids are unique across all pools.
 */
const columns: { readonly [Field in keyof WaiverRecord]: ColumnType | 'text[]' } = {
  pool: 'text',
  id: 'text',
  version: 'integer',
  bookingSystem: 'text',
  bookingId: 'text',
  bookingGuestId: 'text',
  activities: 'text[]',
  lastVisit: 'timestamptz',
  lastVisitSource: 'text',
  currentPage: 'text',
  // JSON as text keeps the order of the answers; `jsonb` would not.
  answers: 'text',
  validUntil: 'text',
  reuseOf: 'text',
  deleted: 'boolean',
  begun: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
};

function keysOf<Keyed extends object>(keyed: Keyed): Extract<keyof Keyed, string>[] {
  const keys: Extract<keyof Keyed, string>[] = [];
  for (const key in keyed) keys.push(key);
  return keys;
}

const fields = keysOf(columns);

/** The columns of a waiver `w`, as {@link WaiverRow}. */
export const waiverColumns: RawBuilder<WaiverRow> = sql.raw(
  fields.map((field) => `w.${columnName(field)}`).join(', '),
);

/** A row selected with {@link waiverColumns}. */
export interface WaiverRow extends Omit<WaiverRecord, 'answers'> {
  readonly answers: string;
}

export const recordOf = (row: WaiverRow): WaiverRecord => ({ ...row, answers: JSON.parse(row.answers) });

/** The approximate size of a row `r` of `waiver` in bytes: ids and times count as 1 KiB. */
export const rowBytes: RawBuilder<number> = sql`octet_length(r.answers) + octet_length(array_to_json(r.activities)::text) + 1024`;

type Value = WaiverRecord[keyof WaiverRecord];

function parameterOf(value: Value): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

// PostgreSQL's arrays of arrays must be rectangular, so lists are passed as JSON.
const types = Object.fromEntries(
  fields.map((field) => [field, columns[field] === 'text[]' ? 'text' : columns[field]]),
);

/** Records as rows `s` of a `from` item, with a column for each field and each added value. */
export function waiverRows(
  rows: readonly {
    readonly record: WaiverRecord;
    readonly added: Readonly<Record<string, string | number | null>>;
  }[],
  addedTypes: Readonly<Record<string, ColumnType>>,
): RawBuilder<unknown> {
  const values = rows.map(({ record, added }) => ({
    ...Object.fromEntries(fields.map((field) => [field, parameterOf(record[field])])),
    ...added,
  }));
  return rowsOf(values, 's', { ...types, ...addedTypes });
}

const writtenValue = (field: keyof WaiverRecord) =>
  columns[field] === 'text[]'
    ? `array(select json_array_elements_text(s.${columnName(field)}::json))`
    : `s.${columnName(field)}`;

export const columnNames: RawBuilder<unknown> = sql.raw(fields.map(columnName).join(', '));

/** The values of {@link columnNames} in {@link waiverRows}. */
export const columnValues: RawBuilder<unknown> = sql.raw(fields.map(writtenValue).join(', '));

// A statement that assigns a key column, even its own value, takes a stronger row lock.
const isIdentity = (field: keyof WaiverRecord) => field === 'pool' || field === 'id';

/** Sets the columns of `waiver` to their values in {@link waiverRows}. */
export const columnAssignments: RawBuilder<unknown> = sql.raw(
  fields
    .filter((field) => !isIdentity(field))
    .map((field) => `${columnName(field)} = ${writtenValue(field)}`)
    .join(', '),
);

async function readOne(
  database: Database,
  pool: string,
  id: string,
  lock: RawBuilder<unknown>,
): Promise<WaiverRecord | undefined> {
  const { rows } = await sql<WaiverRow>`${prepared}
select ${waiverColumns} from waiver w where w.pool = ${pool} and w.id = ${id} and w.erasure is null ${lock}`.execute(
    database,
  );
  return rows.map(recordOf)[0];
}

/** Reads one waiver. Here and below, an erased waiver counts as missing. */
export const readWaiver = (database: Database, pool: string, id: string): Promise<WaiverRecord | undefined> =>
  readOne(database, pool, id, sql``);

/** Reads one waiver and locks its row. */
export const lockWaiver = (
  transaction: DatabaseTransaction,
  pool: string,
  id: string,
): Promise<WaiverRecord | undefined> => readOne(transaction, pool, id, sql`for update`);

/** Reads waivers without locking them. @returns the existing ones, by id */
export async function readWaivers(
  database: Database,
  wanted: readonly { readonly pool: string; readonly id: string }[],
): Promise<ReadonlyMap<string, WaiverRecord>> {
  const { rows } = await sql<WaiverRow>`${prepared}
select ${waiverColumns}
from ${rowsOf(wanted, 'k', { pool: 'text', id: 'text' })}
join waiver w on w.pool = k.pool and w.id = k.id and w.erasure is null`.execute(database);
  return new Map(rows.map((row) => [row.id, recordOf(row)]));
}
