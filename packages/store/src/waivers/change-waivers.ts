import { batchAcrossPools, batchCalls, type LockTimeout, retryDeadlock } from '@waiver-service/database';
import {
  type Actor,
  answersBytes,
  type BookingKey,
  bookingOf,
  type ChangeRefusal,
  type Draft,
  type DraftResult,
  isSameBooking,
  planChange,
  type WaiverPlan,
  type WaiverRecord,
} from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import type { HashEmail } from '../encryption/email-hashes.ts';
import {
  lockBookings,
  type PoolReading,
  plannedWith,
  plannedWithout,
  type ReadingOf,
  readBookings,
  readRecipients,
} from './readings.ts';
import { lockWaiver, readWaivers } from './waiver-rows.ts';
import { withdrawAnswers } from './withdraw-answers.ts';
import {
  batchesOf,
  maxBatchSize,
  type OnWritten,
  updateWaivers,
  type Written,
  writeIsolated,
} from './write-waivers.ts';

/** Erases the values of the answers that a change removed from the waiver's earlier versions. Removals are rare. */
async function forgetAnswers(transaction: DatabaseTransaction, { next, changes }: WaiverPlan): Promise<void> {
  const removed = Object.entries(changes?.answers ?? {}).flatMap(([name, { kind }]) =>
    kind === 'removed' ? [name] : [],
  );
  if (removed.length === 0) return;
  await sql`
update waiver_version v set answer_changes = (
  select json_object_agg(a.name, case when a.name = any (${removed}::text[])
    then json_build_object('kind', a.change ->> 'kind') else a.change end)
  from json_each(v.answer_changes::json) a (name, change))
where v.pool = ${next.pool} and v.waiver_id = ${next.id} and v.answer_changes is not null and exists (
  select from json_object_keys(v.answer_changes::json) k (name) where k.name = any (${removed}::text[]))`.execute(
    transaction,
  );
}

/*
 * Optimistic first, batched with other changes: read, plan, write if the waiver still has the version that was read.
 * After three conflicts, or if the change removes answers, the row is locked before it is read.
 */

export interface ChangeRequest {
  readonly pool: string;
  readonly id: string;
  /** Whether it may remove answers, in which case waiting messages change in the same transaction. */
  readonly removesAnswers?: boolean;
  readonly draft: (former: WaiverRecord) => DraftResult;
  readonly by?: Actor | undefined;
}

export type ChangeOutcome =
  | { readonly outcome: 'changed'; readonly record: WaiverRecord }
  | { readonly outcome: 'refused'; readonly refusal: ChangeRefusal; readonly record: WaiverRecord }
  | { readonly outcome: 'not-found' };

/** `conflict`: another transaction has changed or locked the waiver meanwhile; retry. */
type Attempt = ChangeOutcome | { readonly outcome: 'conflict' };

type Step = { readonly plan: WaiverPlan } | { readonly outcome: ChangeOutcome };

/** The listeners are called after commits. */
export interface ChangeParts {
  readonly hashEmail: HashEmail;
  readonly onWritten: OnWritten;
  /** Answers of this waiver were removed from waiting messages. */
  readonly onWithdrawn: (waiverId: string) => void;
}

// Two hosts rarely change the same waiver at once.
const maxOptimisticAttempts = 3;

const notFound: ChangeOutcome = { outcome: 'not-found' };

const bookingsToRead = ({ needsSessions, former, changed }: Draft): readonly BookingKey[] => {
  const bookings = isSameBooking(former, changed) ? [] : [bookingOf(former), bookingOf(changed)];
  return [...bookings, needsSessions ? bookingOf(changed) : undefined].flatMap((each) => each ?? []);
};

/** Whether a waiver stays in its booking, whichever of the booking's ids it names. */
function staysInBooking({ former, changed }: Draft, readingOf: ReadingOf): boolean {
  if (isSameBooking(former, changed)) return true;
  const [one, other] = [bookingOf(former), bookingOf(changed)];
  if (one === undefined || other?.bookingSystem !== one.bookingSystem) return false;
  return readingOf(one).ownId === readingOf(other).ownId;
}

function planStep(
  drafted: DraftResult,
  context: PoolReading & Pick<ChangeRequest, 'by'>,
  readingOf: ReadingOf,
): Step {
  if ('refusal' in drafted) {
    return { outcome: { outcome: 'refused', refusal: drafted.refusal, record: drafted.former } };
  }
  const { draft } = drafted;
  const { sessions } = readingOf(bookingOf(draft.changed));
  return {
    plan: planChange(draft, { ...context, sessions, staysInBooking: staysInBooking(draft, readingOf) }),
  };
}

interface DraftedRequest extends ChangeRequest {
  /** Undefined if there is no such waiver. */
  readonly result: DraftResult | undefined;
}

const draftsOf = ({ result }: DraftedRequest): readonly Draft[] =>
  result && 'draft' in result ? [result.draft] : [];

const bytesOf = (request: DraftedRequest): number =>
  draftsOf(request).reduce((bytes, { changed }) => bytes + answersBytes(changed.answers), 0);

async function writeBatch(
  requests: readonly DraftedRequest[],
  planOf: (request: DraftedRequest) => Step,
  update: (plans: readonly WaiverPlan[]) => Promise<Written>,
  onWritten: OnWritten,
): Promise<PromiseSettledResult<Attempt>[]> {
  const steps = await Promise.allSettled(requests.map(async (request) => planOf(request)));
  const plans = steps.flatMap((each) =>
    each.status === 'fulfilled' && 'plan' in each.value ? each.value.plan : [],
  );
  const written = (await writeIsolated(plans, update, onWritten)).values();
  return steps.map((each) => {
    if (each.status === 'rejected') return each;
    if ('outcome' in each.value) return { status: 'fulfilled', value: each.value.outcome };
    const { next: record } = each.value.plan;
    const result = written.next().value;
    if (result?.status !== 'fulfilled') return { status: 'rejected', reason: result?.reason };
    return {
      status: 'fulfilled',
      value: result.value === 'written' ? { outcome: 'changed', record } : { outcome: 'conflict' },
    };
  });
}

/** Changes distinct waivers. Each has its own outcome. */
async function changeBatch(
  database: Database,
  requests: readonly ChangeRequest[],
  lockTimeoutMs: LockTimeout,
  { hashEmail, onWritten }: ChangeParts,
): Promise<PromiseSettledResult<Attempt>[]> {
  const [formers, pools] = await Promise.all([
    readWaivers(database, requests),
    readRecipients(
      database,
      requests.map(({ pool }) => pool),
    ),
  ]);
  const drafted = requests.map((request): DraftedRequest => {
    const former = formers.get(request.id);
    return { ...request, result: former && request.draft(former) };
  });
  const readingOf = await readBookings(database, drafted.flatMap(draftsOf).flatMap(bookingsToRead));
  const planOf = ({ pool, by, result }: DraftedRequest): Step => {
    const reading = pools.get(pool);
    return result && reading ? planStep(result, { ...reading, by }, readingOf) : { outcome: notFound };
  };
  const withSessions = new Set(
    drafted.flatMap(draftsOf).flatMap(({ needsSessions, changed }) => (needsSessions ? changed.id : [])),
  );
  const plannedReadingOf = ({ next }: WaiverPlan) =>
    withSessions.has(next.id) ? plannedWith(readingOf(bookingOf(next))) : plannedWithout;
  const update = (plans: readonly WaiverPlan[]) =>
    updateWaivers(database, plans, { hashEmail, lockTimeoutMs, plannedReadingOf });
  const results: PromiseSettledResult<Attempt>[] = [];
  for (const batch of batchesOf(drafted, bytesOf))
    results.push(...(await writeBatch(batch, planOf, update, onWritten)));
  return results;
}

/** The result of a change in a transaction; parts are undefined if nothing was written. */
export interface LockedChange {
  readonly outcome: ChangeOutcome;
  readonly written?: Written;
  readonly hasWithdrawn?: boolean;
}

/** Changes a waiver in a transaction, after locking its row, so there is no conflict. */
export async function changeInTransaction(
  transaction: DatabaseTransaction,
  { pool, id, draft, by }: ChangeRequest,
  hashEmail: HashEmail,
): Promise<LockedChange> {
  const former = await lockWaiver(transaction, pool, id);
  const reading = (await readRecipients(transaction, [pool])).get(pool);
  if (former === undefined || reading === undefined) return { outcome: notFound };
  const drafted = draft(former);
  const bookings = 'draft' in drafted ? bookingsToRead(drafted.draft) : [];
  const step = planStep(drafted, { ...reading, by }, await lockBookings(transaction, bookings));
  if ('outcome' in step) return step;
  const { plan } = step;
  const written = await updateWaivers(transaction, [plan], { hashEmail });
  if (written.changed.length === 0) throw new Error('a locked waiver was changed by another transaction');
  const hasWithdrawn = await withdrawAnswers(transaction, former, plan.next);
  await forgetAnswers(transaction, plan);
  return { outcome: { outcome: 'changed', record: plan.next }, written, hasWithdrawn };
}

async function changeLocked(
  database: Database,
  request: ChangeRequest,
  { hashEmail, onWritten, onWithdrawn }: ChangeParts,
): Promise<ChangeOutcome> {
  const { outcome, written, hasWithdrawn } = await database
    .transaction()
    .execute((transaction) => changeInTransaction(transaction, request, hashEmail));
  if (hasWithdrawn) onWithdrawn(request.id);
  if (written) onWritten(written);
  return outcome;
}

/**
 * Creates the function that changes waivers. Concurrent changes of all pools are batched; a lock in one pool does not
 * delay the others.
 */
export function createChangeWaiver(
  database: Database,
  parts: ChangeParts,
): (request: ChangeRequest) => Promise<ChangeOutcome> {
  const attempt = batchAcrossPools<ChangeRequest, Attempt>({
    maxBatchSize,
    poolOf: ({ pool }) => pool,
    keyOf: ({ id }) => id,
    run: (requests, lockTimeoutMs) => changeBatch(database, requests, lockTimeoutMs, parts),
  });
  // One at a time per pool, so that locks on a pool's waivers cannot occupy all connections.
  const attemptLocked = batchCalls<ChangeRequest, ChangeOutcome>({
    maxBatchSize: 1,
    partitionOf: ({ pool }) => pool,
    run: (requests) =>
      Promise.allSettled(
        requests.map((request) => retryDeadlock(() => changeLocked(database, request, parts))),
      ),
  });
  return async (request) => {
    if (request.removesAnswers === true) return attemptLocked(request);
    for (let attempts = 0; attempts < maxOptimisticAttempts; attempts += 1) {
      const result = await attempt(request);
      if (result.outcome !== 'conflict') return result;
    }
    return attemptLocked(request);
  };
}
