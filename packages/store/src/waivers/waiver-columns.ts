import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { type ColumnType, rowsOf } from '../database/rows-of.ts';

/** The column that holds a field of a waiver. */
interface WaiverColumn {
  readonly name: string;
  readonly type: ColumnType | 'text[]';
}

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
const columns: { readonly [Field in keyof WaiverRecord]: WaiverColumn } = {
  pool: { name: 'pool', type: 'text' },
  id: { name: 'id', type: 'text' },
  version: { name: 'version', type: 'integer' },
  bookingSystem: { name: 'booking_system', type: 'text' },
  bookingId: { name: 'booking_id', type: 'text' },
  bookingGuestId: { name: 'booking_guest_id', type: 'text' },
  activities: { name: 'activities', type: 'text[]' },
  lastVisit: { name: 'last_visit', type: 'timestamptz' },
  lastVisitSource: { name: 'last_visit_source', type: 'text' },
  currentPage: { name: 'current_page', type: 'text' },
  // JSON as text keeps the order of the answers; `jsonb` would not.
  answers: { name: 'answers', type: 'text' },
  validUntil: { name: 'valid_until', type: 'text' },
  reuseOf: { name: 'reuse_of', type: 'text' },
  deleted: { name: 'deleted', type: 'boolean' },
  begun: { name: 'begun', type: 'text' },
  createdAt: { name: 'created_at', type: 'timestamptz' },
  updatedAt: { name: 'updated_at', type: 'timestamptz' },
};

function keysOf<Keyed extends object>(keyed: Keyed): Extract<keyof Keyed, string>[] {
  const keys: Extract<keyof Keyed, string>[] = [];
  for (const key in keyed) keys.push(key);
  return keys;
}

const fields = keysOf(columns);

/** The columns of a waiver `w`, as {@link WaiverRow}. */
export const waiverColumns: RawBuilder<WaiverRow> = sql.raw(
  fields.map((field) => `w.${columns[field].name} as "${field}"`).join(', '),
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
const parameterType = ({ type }: WaiverColumn) => (type === 'text[]' ? 'text' : type);

const types = Object.fromEntries(fields.map((field) => [columns[field].name, parameterType(columns[field])]));

/** Records as rows `s` of a `from` item, with a column for each field and each added value. */
export function waiverRows(
  rows: readonly {
    readonly record: WaiverRecord;
    readonly added: Readonly<Record<string, string | number | null>>;
  }[],
  addedTypes: Readonly<Record<string, ColumnType>>,
): RawBuilder<unknown> {
  const values = rows.map(({ record, added }) => ({
    ...Object.fromEntries(fields.map((field) => [columns[field].name, parameterOf(record[field])])),
    ...added,
  }));
  return rowsOf(values, 's', { ...types, ...addedTypes });
}

const writtenValue = ({ name, type }: WaiverColumn) =>
  type === 'text[]' ? `array(select json_array_elements_text(s.${name}::json))` : `s.${name}`;

export const columnNames: RawBuilder<unknown> = sql.raw(
  fields.map((field) => columns[field].name).join(', '),
);

/** The values of {@link columnNames} in {@link waiverRows}. */
export const columnValues: RawBuilder<unknown> = sql.raw(
  fields.map((field) => writtenValue(columns[field])).join(', '),
);

// A statement that assigns a key column, even its own value, takes a stronger row lock.
const isIdentity = (field: keyof WaiverRecord) => field === 'pool' || field === 'id';

/** Sets the columns of `waiver` to their values in {@link waiverRows}. */
export const columnAssignments: RawBuilder<unknown> = sql.raw(
  fields
    .filter((field) => !isIdentity(field))
    .map((field) => `${columns[field].name} = ${writtenValue(columns[field])}`)
    .join(', '),
);
