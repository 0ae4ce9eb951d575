import type { ColumnType } from '@waiver-service/database';
import {
  isLockTimeout,
  type LockTimeout,
  limitsLockWait,
  prepared,
  retryDeadlock,
} from '@waiver-service/database';
import { enqueue } from '@waiver-service/outbox';
import type { CreationPlan, WaiverPlan } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseError } from 'pg';
import { bookingIds } from '../database/destination-owners.ts';
import type { Database } from '../database/tables.ts';
import type { HashEmail } from '../encryption/email-hashes.ts';
import { type PlannedReading, plannedReadingTypes, plannedWithout, unchangedBookings } from './readings.ts';
import { columnAssignments, columnNames, columnValues, waiverRows } from './waiver-rows.ts';

/*
 * The table `waiver_version` has a row for each stored version, written in the waiver's own statement. It holds not the
 * whole record, but what changed:
 *
 *   former_version   the version that it replaced; 0: none. Two less if the record moved: the version in between took it
 *                    back from its previous place
 *   actor            who made it; null if that is not known
 *   field_changes    JSON: a list of FieldChange; null for version 1
 *   answer_changes   JSON: AnswerChange by name; null for version 1, and where none changed. Guests' data
 *
 * Versions stored by older builds have no row. A trigger deletes a waiver's rows with it.
 */

/** Its columns, in the order of their values. */
const versionColumns: RawBuilder<unknown> = sql.raw(
  'pool, waiver_id, version, former_version, at, actor, actor_name, field_changes, answer_changes',
);

/** The types of {@link versionOf}. */
const versionTypes = {
  formerVersion: 'integer',
  actor: 'text',
  actorName: 'text',
  fieldChanges: 'text',
  answerChanges: 'text',
} as const satisfies Readonly<Record<string, ColumnType>>;

/** The values of the version that a plan stores, besides those of the record itself. */
function versionOf({ formerVersion, by, changes }: WaiverPlan): {
  readonly [Name in keyof typeof versionTypes]: string | number | null;
} {
  const hasAnswers = changes !== undefined && Object.keys(changes.answers).length > 0;
  return {
    formerVersion,
    actor: by?.id ?? null,
    actorName: by?.name ?? null,
    fieldChanges: changes === undefined ? null : JSON.stringify(changes.fields),
    answerChanges: hasAnswers ? JSON.stringify(changes.answers) : null,
  };
}

/**
 * The maximum number of waivers per statement. A commit costs more than the rest of a change, but not when this many
 * share it.
 */
export const maxBatchSize = 64;

// A statement repeats the answers for each recipient that gets a different set of them.
const maxBatchBytes = 1024 * 1024;

/**
 * Splits changes into batches of at most {@link maxBatchSize} whose answers total at most 1 MiB. A larger change gets a
 * batch to itself.
 */
export function batchesOf<Item>(items: readonly Item[], bytesOf: (item: Item) => number): Item[][] {
  const batches: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const bytes = bytesOf(item);
    const last = batches.at(-1);
    if (last !== undefined && last.length < maxBatchSize && bytes <= room) last.push(item);
    else {
      batches.push([item]);
      room = maxBatchBytes;
    }
    room -= bytes;
  }
  return batches;
}

export interface Written {
  /** The ids of the waivers. */
  readonly changed: readonly string[];
  /** The number of messages. */
  readonly enqueued: number;
  /** The ids of new waivers that were not written because their booking has changed since they were planned. */
  readonly outdated?: readonly string[];
}

/** Called after the commit, with the pools of the waivers. */
export type OnWritten = (written: Written) => void;

const result = sql`
select (select coalesce(array_agg(id), '{}') from changed) as changed, (select count(*)::integer from enqueued) as enqueued`;

const outdated = sql`
(select coalesce(array_agg(id), '{}') from given where id not in (select id from unchanged)) as outdated`;

// `given` has the versions, `changed` the waivers that were written.
const versioned = sql`versioned as (
  insert into waiver_version (${versionColumns})
  select s.pool, s.id, s.version, s.former_version, s.updated_at, s.actor, s.actor_name, s.field_changes, s.answer_changes
  from given s join changed c on c.pool = s.pool and c.id = s.id)`;

const nothing: Written = { changed: [], enqueued: 0 };

/** Looks up the booking's reading that a plan was made with, unless that is locked. */
export type PlannedReadingOf = (plan: WaiverPlan) => PlannedReading;

const isLocked: PlannedReadingOf = () => plannedWithout;

export interface InsertOptions {
  /** The signing that completes them: their later changes are events of it. */
  readonly signing?: string | null;
  readonly lockTimeoutMs?: LockTimeout;
  readonly plannedReadingOf?: PlannedReadingOf;
}

/**
 * Stores new waivers with distinct ids and their messages in one statement. Skips those whose id is taken, or whose
 * booking has changed since they were planned.
 */
export async function insertWaivers(
  database: Database,
  plans: readonly CreationPlan[],
  { signing = null, lockTimeoutMs, plannedReadingOf = isLocked }: InsertOptions = {},
): Promise<Written> {
  const rows = plans.map((plan) => ({
    record: plan.next,
    added: { contentHash: plan.contentHash, ...versionOf(plan), ...plannedReadingOf(plan) },
  }));
  const types = { contentHash: 'text', ...versionTypes, ...plannedReadingTypes } as const;
  const { rows: written } = await sql<Written>`${prepared}
with given as materialized (
  select s.* from ${limitsLockWait(lockTimeoutMs)} cross join ${waiverRows(rows, types)}),
${unchangedBookings},
identified as (
  insert into waiver_id (id, pool) select id, pool from unchanged order by id
  on conflict (id) do nothing returning id),
changed as (
  insert into waiver (${columnNames}, content_hash, signing)
  select ${columnValues}, decode(s.content_hash, 'hex'), ${signing} from given s join identified using (id)
  returning pool, id),
${versioned},
${enqueue(
  plans.flatMap(({ messages }) => messages),
  bookingIds,
)}
${result}, ${outdated}`.execute(database);
  return written[0] ?? nothing;
}

export interface UpdateOptions {
  /** Hashes previous e-mail addresses, by which records can still be found; an erasure keeps none. */
  readonly hashEmail?: HashEmail;
  readonly lockTimeoutMs?: LockTimeout;
  readonly plannedReadingOf?: PlannedReadingOf;
  /** Whether the changes are an erasure's: a waiver that is being erased accepts no others. */
  readonly isErasure?: boolean;
}

/**
 * Stores changes of distinct waivers and their messages in one statement. Skips waivers that no longer have the version
 * from which their change was planned, or whose booking has changed since, that are being erased, or that another
 * transaction has locked, which must not delay the others.
 */
export async function updateWaivers(
  database: Database,
  plans: readonly WaiverPlan[],
  { hashEmail, lockTimeoutMs, plannedReadingOf = isLocked, isErasure = false }: UpdateOptions = {},
): Promise<Written> {
  const rows = plans.map((plan) => ({
    record: plan.next,
    added: {
      ...versionOf(plan),
      ...plannedReadingOf(plan),
      formerEmail: hashEmail?.(plan.next.pool, plan.formerEmail)?.toString('hex') ?? null,
    },
  }));
  const pools = plans.map(({ next }) => next.pool);
  const ids = plans.map(({ next }) => next.id);
  const versions = plans.map(({ formerVersion }) => formerVersion);
  const types = { ...versionTypes, ...plannedReadingTypes, formerEmail: 'text' } as const;
  const { rows: written } = await sql<Written>`${prepared}
with given as materialized (
  select s.* from ${limitsLockWait(lockTimeoutMs)} cross join ${waiverRows(rows, types)}),
${unchangedBookings},
free as materialized (
  select w.pool, w.id from unnest(${pools}::text[], ${ids}::text[], ${versions}::integer[]) k (pool, id, version)
  join unchanged using (pool, id)
  join waiver w on w.pool = k.pool and w.id = k.id and w.version = k.version and (w.erasure is null or ${isErasure}::boolean)
  order by w.pool, w.id for no key update of w skip locked),
changed as (
  update waiver w set ${columnAssignments}, changed_in = pg_current_xact_id()
  from free f join given s on s.pool = f.pool and s.id = f.id
  where w.pool = f.pool and w.id = f.id and w.version = s.former_version
  returning w.pool, w.id),
${versioned},
former_emails as (
  insert into former_email (pool, hash, waiver_id)
  select s.pool, decode(s.former_email, 'hex'), s.id
  from given s join changed c on c.pool = s.pool and c.id = s.id where s.former_email is not null
  on conflict do nothing),
${enqueue(
  plans.flatMap(({ messages }) => messages),
  bookingIds,
)}
${result}`.execute(database);
  return written[0] ?? nothing;
}

// Without a response from PostgreSQL, a statement may have been executed, unless it could not even be built: the driver
// reports a lost connection as a plain `Error`.
const isUnwritten = (error: unknown) =>
  error instanceof DatabaseError || error instanceof RangeError || error instanceof TypeError;

/**
 * Writes plans in one statement. Isolates failures: if the statement cannot be built, or PostgreSQL rejects it, each half
 * is written separately, until only the plans at fault have failed. If a lock is not available in time, none is written.
 *
 * @param onWritten called for each statement that committed.
 * @returns for each plan whether it was written, and if not, whether its booking has changed since it was planned.
 */
export async function writeIsolated<Plan extends WaiverPlan>(
  plans: readonly Plan[],
  write: (plans: readonly Plan[]) => Promise<Written>,
  onWritten: OnWritten,
): Promise<PromiseSettledResult<'written' | 'outdated' | 'skipped'>[]> {
  if (plans.length === 0) return [];
  try {
    const written = await retryDeadlock(() => write(plans));
    onWritten(written);
    const ids = new Set(written.changed);
    const outdatedIds = new Set(written.outdated);
    return plans.map(({ next: { id } }) => ({
      status: 'fulfilled',
      value: ids.has(id) ? 'written' : outdatedIds.has(id) ? 'outdated' : 'skipped',
    }));
  } catch (error) {
    if (plans.length === 1 || !isUnwritten(error) || isLockTimeout(error)) {
      return plans.map(() => ({ status: 'rejected', reason: error }));
    }
  }
  const middle = plans.length >> 1;
  const first = await writeIsolated(plans.slice(0, middle), write, onWritten);
  return [...first, ...(await writeIsolated(plans.slice(middle), write, onWritten))];
}
