import { batchCalls } from '../database/batch-calls.ts';
import type { Database } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import {
  type Attempt,
  type ChangeOutcome,
  changeTogether,
  type WaiverStepRequest,
} from './change-together.ts';
import { planMessages } from './plan-messages.ts';
import { readPool } from './read-pool.ts';
import { readWaiver } from './read-waiver.ts';
import { withoutSource } from './waiver-row.ts';
import { withdrawAnswers } from './withdraw-answers.ts';
import { updateWaivers, type Written } from './write-waivers.ts';

/** Changes one record. */
export type ChangeWaiver<Refusal> = (request: WaiverStepRequest<Refusal>) => Promise<ChangeOutcome<Refusal>>;

// Two that change one record at once, on two hosts, are rare; three times in a row, and the row is locked first.
const freeTries = 3;
// A commit is what a change costs most; shared by so many, it no longer is.
const mostTogether = 64;

/**
 * Makes the function that changes records. Changes of one pool that come at once are stored together; those of two
 * pools never are, so that a lock in one pool holds up no other.
 *
 * @param onWritten told of each statement that stored something.
 * @param onWithdrawn told of a waiver of which something that waits may no longer leave as it was claimed.
 */
export function createChangeWaiver<Refusal>(
  database: Database,
  onWritten: (written: Written) => void,
  onWithdrawn: (waiverId: string) => void,
): ChangeWaiver<Refusal> {
  const attempt = batchCalls<WaiverStepRequest<Refusal>, Attempt<Refusal>>({
    maxBatchSize: mostTogether,
    keyOf: ({ id }) => id,
    partitionOf: ({ pool }) => pool,
    run: (requests) => changeTogether(database, requests, onWritten),
  });
  // One at a time of each pool: whoever holds the locks of its records cannot have every connection wait for them.
  const attemptLocked = batchCalls<WaiverStepRequest<Refusal>, ChangeOutcome<Refusal>>({
    maxBatchSize: 1,
    partitionOf: ({ pool }) => pool,
    run: (requests) =>
      Promise.allSettled(
        requests.map((request) =>
          retryDeadlock(() => changeLocked(database, request, onWritten, onWithdrawn)),
        ),
      ),
  });
  return async (request) => {
    // Older bodies change with it, in one transaction.
    if (request.removesAnswers === true) return attemptLocked(request);
    for (let tries = 0; tries < freeTries; tries += 1) {
      const result = await attempt(request);
      if (result.outcome !== 'outrun') return result;
    }
    return attemptLocked(request);
  };
}

/** Changes a record whose row is locked before it is read: nothing outruns it. */
async function changeLocked<Refusal>(
  database: Database,
  { pool, id, step }: WaiverStepRequest<Refusal>,
  onWritten: (written: Written) => void,
  onWithdrawn: (waiverId: string) => void,
): Promise<ChangeOutcome<Refusal>> {
  const changed = await database.transaction().execute(async (transaction) => {
    const former = await readWaiver(transaction, pool, id, { lock: true });
    if (former === undefined) return { result: { outcome: 'not-found' as const } };
    const reading = await readPool(transaction, pool);
    const next = await step(former, reading.now, transaction);
    if ('refusal' in next) {
      const { refusal } = next;
      return { result: { outcome: 'refused' as const, refusal, record: withoutSource(former) } };
    }
    const messages = planMessages(next.next, next.takeback, reading);
    const steps = [{ formerVersion: former.version, next: next.next }];
    const written = await updateWaivers(transaction, steps, messages);
    if (written.changed.length === 0) throw new Error('a locked record was changed by another transaction');
    const withdrawn = await withdrawAnswers(transaction, former, next.next);
    return { result: { outcome: 'changed' as const, record: withoutSource(next.next) }, written, withdrawn };
  });
  if (changed.withdrawn === true) onWithdrawn(id);
  if (changed.written !== undefined) onWritten(changed.written);
  return changed.result;
}
