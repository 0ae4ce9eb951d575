import { DatabaseError } from 'pg';
import type { Database } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { NextState } from './next-state.ts';
import { type PlannedMessage, planMessages } from './plan-messages.ts';
import { type PoolReading, readPools } from './read-pool.ts';
import { readWaivers } from './read-waiver.ts';
import type { WaiverRecord, WaiverState } from './waiver-record.ts';
import { withoutSource } from './waiver-row.ts';
import { updateWaivers, type WaiverStep, type Written } from './write-waivers.ts';

/** One change of one record. */
export interface WaiverStepRequest<Refusal> {
  readonly pool: string;
  readonly id: string;
  /** Whether it may remove answers, which are then taken out of what waits, too. */
  readonly removesAnswers?: boolean;
  /** Works out the next state, or says why there is none. Reads by the given handle only: it may be a transaction. */
  readonly step: (
    former: WaiverState,
    now: Date,
    database: Database,
  ) => Promise<NextState | { readonly refusal: Refusal }>;
}

/** What came of a change. */
export type ChangeOutcome<Refusal> =
  | { readonly outcome: 'changed'; readonly record: WaiverRecord }
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly record: WaiverRecord }
  | { readonly outcome: 'not-found' };

/** A change that another one of the same record has outrun is to be worked out again. */
export type Attempt<Refusal> = ChangeOutcome<Refusal> | { readonly outcome: 'outrun' };

/** A change that is worked out and can be written, with all that it sends. */
interface PlannedChange extends WaiverStep {
  readonly messages: readonly PlannedMessage[];
}

type Planned<Refusal> =
  | { readonly change: PlannedChange }
  | { readonly settled: PromiseSettledResult<Attempt<Refusal>> };

const fulfilled = <Refusal>(value: Attempt<Refusal>): PromiseSettledResult<Attempt<Refusal>> => ({
  status: 'fulfilled',
  value,
});

async function planChange<Refusal>(
  database: Database,
  { step }: WaiverStepRequest<Refusal>,
  former: WaiverState | undefined,
  reading: PoolReading | undefined,
): Promise<Planned<Refusal>> {
  if (former === undefined || reading === undefined) return { settled: fulfilled({ outcome: 'not-found' }) };
  try {
    const result = await step(former, reading.now, database);
    if ('refusal' in result) {
      const record = withoutSource(former);
      return { settled: fulfilled({ outcome: 'refused', refusal: result.refusal, record }) };
    }
    const { next, takeback } = result;
    const messages = planMessages(next, takeback, reading);
    return { change: { formerVersion: former.version, next, messages } };
  } catch (reason) {
    return { settled: { status: 'rejected', reason } };
  }
}

async function writeChanges<Refusal>(
  database: Database,
  changes: readonly PlannedChange[],
  onWritten: (written: Written) => void,
): Promise<PromiseSettledResult<Attempt<Refusal>>[]> {
  const messages = changes.flatMap((change) => change.messages);
  const written = await retryDeadlock(() => updateWaivers(database, changes, messages));
  onWritten(written);
  const ids = new Set(written.changed);
  return changes.map(({ next }) =>
    fulfilled(ids.has(next.id) ? { outcome: 'changed', record: withoutSource(next) } : { outcome: 'outrun' }),
  );
}

/** One that PostgreSQL refuses does not take the others with it. */
async function writeApart<Refusal>(
  database: Database,
  changes: readonly PlannedChange[],
  onWritten: (written: Written) => void,
): Promise<PromiseSettledResult<Attempt<Refusal>>[]> {
  try {
    return await writeChanges(database, changes, onWritten);
  } catch (error) {
    // Only what PostgreSQL itself answered is certainly not stored.
    if (changes.length <= 1 || !(error instanceof DatabaseError)) {
      return changes.map(() => ({ status: 'rejected', reason: error }));
    }
  }
  const results: PromiseSettledResult<Attempt<Refusal>>[] = [];
  for (const change of changes) results.push(...(await writeApart<Refusal>(database, [change], onWritten)));
  return results;
}

/**
 * Changes records, no two of them the same one: reads them all without a lock, works out their next states, and
 * stores those that are still at the version that was read. One round trip to read, one to write, whatever their
 * number.
 *
 * @returns what came of each, in their order; one that fails leaves the others alone.
 */
export async function changeTogether<Refusal>(
  database: Database,
  requests: readonly WaiverStepRequest<Refusal>[],
  onWritten: (written: Written) => void,
): Promise<PromiseSettledResult<Attempt<Refusal>>[]> {
  const [formers, readings] = await Promise.all([
    readWaivers(database, requests),
    readPools(database, new Set(requests.map(({ pool }) => pool))),
  ]);
  const planned = await Promise.all(
    requests.map((request) =>
      planChange(database, request, formers.get(request.id), readings.get(request.pool)),
    ),
  );
  const changes = planned.flatMap((each) => ('change' in each ? [each.change] : []));
  const results = (
    changes.length === 0 ? [] : await writeApart<Refusal>(database, changes, onWritten)
  ).values();
  return planned.map((each) => {
    if ('settled' in each) return each.settled;
    return results.next().value ?? { status: 'rejected', reason: new Error('a change has no result') };
  });
}
