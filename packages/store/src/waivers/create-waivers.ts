import { batchAcrossPools, type LockTimeout, prepared } from '@waiver-service/database';
import {
  type Actor,
  answersBytes,
  bookingOf,
  type CreationPlan,
  maxAnswersBytes,
  type NewWaiver,
  planCreation,
  type WaiverPlan,
  type WaiverRecord,
} from '@waiver-service/waivers';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database/tables.ts';
import { plannedWith, plannedWithout, readBookings, readRecipients } from './readings.ts';
import { recordOf, type WaiverRow, waiverColumns } from './waiver-rows.ts';
import { batchesOf, insertWaivers, maxBatchSize, type OnWritten, writeIsolated } from './write-waivers.ts';

/** The outcome of creating a waiver. */
export type CreateOutcome =
  | { readonly outcome: 'created'; readonly record: WaiverRecord }
  /** A repeated request with the same content; `record` is the current version. */
  | { readonly outcome: 'same'; readonly record: WaiverRecord }
  | { readonly outcome: 'exists-differently' }
  /** The pool had a waiver with this id, which was erased. */
  | { readonly outcome: 'erased' }
  | { readonly outcome: 'held-by-other-pool' }
  | { readonly outcome: 'unknown-pool' }
  | { readonly outcome: 'answers-too-large' };

type IdentifiedWaiver = NewWaiver & { readonly id: string; readonly by: Actor | undefined };

interface CreateRequest {
  readonly waiver: IdentifiedWaiver;
  /** The size of its answers. */
  readonly bytes: number;
}

type Attempt =
  | Extract<CreateOutcome, { readonly outcome: 'created' | 'unknown-pool' }>
  /** The booking has changed since it was read. */
  | { readonly outcome: 'outdated' }
  | { readonly outcome: 'id-taken'; readonly plan: CreationPlan };

const unknownPool: Attempt = { outcome: 'unknown-pool' };

/** Creates waivers with distinct ids: one round trip to read, one to write, whatever their number. */
async function createBatch(
  database: Database,
  waivers: readonly IdentifiedWaiver[],
  lockTimeoutMs: LockTimeout,
  onWritten: OnWritten,
): Promise<PromiseSettledResult<Attempt>[]> {
  const withoutVisit = waivers.filter(({ lastVisit }) => !lastVisit);
  const [pools, readingOf] = await Promise.all([
    readRecipients(
      database,
      waivers.map(({ pool }) => pool),
    ),
    readBookings(
      database,
      withoutVisit.flatMap((waiver) => bookingOf(waiver) ?? []),
    ),
  ]);
  const planned = await Promise.allSettled(
    waivers.map(async ({ by, ...waiver }) => {
      const pool = pools.get(waiver.pool);
      if (!pool?.known) return undefined;
      return planCreation(waiver, { ...pool, sessions: readingOf(bookingOf(waiver)).sessions, by });
    }),
  );
  const plans = planned.flatMap((each) => (each.status === 'fulfilled' && each.value) || []);
  const plannedReadingOf = ({ next }: WaiverPlan) =>
    next.lastVisitSource === 'given' ? plannedWithout : plannedWith(readingOf(bookingOf(next)));
  const insert = (some: readonly CreationPlan[]) =>
    insertWaivers(database, some, { lockTimeoutMs, plannedReadingOf });
  const written = (await writeIsolated(plans, insert, onWritten)).values();
  return planned.map((each) => {
    if (each.status === 'rejected') return each;
    const plan = each.value;
    if (plan === undefined) return { status: 'fulfilled', value: unknownPool };
    const result = written.next().value;
    if (result?.status !== 'fulfilled') return { status: 'rejected', reason: result?.reason };
    if (result.value === 'outdated') return { status: 'fulfilled', value: { outcome: 'outdated' } };
    const isWritten = result.value === 'written';
    return {
      status: 'fulfilled',
      value: isWritten ? { outcome: 'created', record: plan.next } : { outcome: 'id-taken', plan },
    };
  });
}

async function existing(database: Database, { next, contentHash }: CreationPlan): Promise<CreateOutcome> {
  const { rows } = await sql<WaiverRow & { readonly isSame: boolean; readonly isErased: boolean }>`${prepared}
select ${waiverColumns}, w.content_hash = decode(${contentHash}, 'hex') as is_same, w.erasure is not null as is_erased
from waiver w where w.pool = ${next.pool} and w.id = ${next.id}`.execute(database);
  const [row] = rows;
  if (row === undefined) return { outcome: 'held-by-other-pool' };
  const { isSame, isErased, ...waiver } = row;
  if (isErased) return { outcome: 'erased' };
  return isSame ? { outcome: 'same', record: recordOf(waiver) } : { outcome: 'exists-differently' };
}

/**
 * Creates the function that stores new waivers with their messages. Concurrent calls for all pools are batched; a single
 * call runs at once. A lock in one pool does not delay the others.
 *
 * @param onWritten called for each statement that stored something.
 */
export function createCreateWaiver(
  database: Database,
  onWritten: OnWritten,
): (waiver: NewWaiver, by?: Actor) => Promise<CreateOutcome> {
  const create = batchAcrossPools<CreateRequest, Attempt>({
    maxBatchSize,
    poolOf: ({ waiver }) => waiver.pool,
    keyOf: ({ waiver }) => waiver.id,
    async run(requests, lockTimeoutMs) {
      const results: PromiseSettledResult<Attempt>[] = [];
      for (const batch of batchesOf(requests, ({ bytes }) => bytes)) {
        const waivers = batch.map(({ waiver }) => waiver);
        results.push(...(await createBatch(database, waivers, lockTimeoutMs, onWritten)));
      }
      return results;
    },
  });
  return async (waiver, by) => {
    const bytes = answersBytes(waiver.answers ?? {});
    if (bytes > maxAnswersBytes) return { outcome: 'answers-too-large' };
    const request = { waiver: { ...waiver, id: waiver.id ?? uuidv7(), by }, bytes };
    let result = await create(request);
    while (result.outcome === 'outdated') result = await create(request);
    return result.outcome === 'id-taken' ? existing(database, result.plan) : result;
  };
}
