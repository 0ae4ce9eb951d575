import type { Database } from '../database/database.ts';
import { groupCalls } from '../database/group-calls.ts';
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
import { updateWaivers, type Written } from './write-waivers.ts';

/** Changes one record. */
export type ChangeWaiver<Refusal> = (request: WaiverStepRequest<Refusal>) => Promise<ChangeOutcome<Refusal>>;

// Two that change one record at once, on two hosts, are rare; three times in a row, and the row is locked first.
const freeTries = 3;
// A commit is what a change costs most; shared by so many, it no longer is.
const mostTogether = 64;

/**
 * Makes the function that changes records. Changes that come at once are stored together.
 *
 * @param onWritten told of each statement that stored something.
 */
export function createChangeWaiver<Refusal>(
  database: Database,
  onWritten: (written: Written) => void,
): ChangeWaiver<Refusal> {
  const attempt = groupCalls<WaiverStepRequest<Refusal>, Attempt<Refusal>>({
    most: mostTogether,
    keyOf: ({ id }) => id,
    run: (requests) => changeTogether(database, requests, onWritten),
  });
  return async (request) => {
    for (let tries = 0; tries < freeTries; tries += 1) {
      const result = await attempt(request);
      if (result.outcome !== 'outrun') return result;
    }
    return retryDeadlock(() => changeLocked(database, request, onWritten));
  };
}

/** Changes a record whose row is locked before it is read: nothing outruns it. */
async function changeLocked<Refusal>(
  database: Database,
  { pool, id, step }: WaiverStepRequest<Refusal>,
  onWritten: (written: Written) => void,
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
    return { result: { outcome: 'changed' as const, record: withoutSource(next.next) }, written };
  });
  if (changed.written !== undefined) onWritten(changed.written);
  return changed.result;
}
