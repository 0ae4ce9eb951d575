import type { Database } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { NextState } from './next-state.ts';
import { planMessages } from './plan-messages.ts';
import { readPool } from './read-pool.ts';
import { readWaiver } from './read-waiver.ts';
import type { WaiverRecord, WaiverState } from './waiver-record.ts';
import { withoutSource } from './waiver-row.ts';
import { updateWaivers, type Written } from './write-waivers.ts';

/** One change of one record. */
export interface WaiverStepRequest<Refusal> {
  readonly pool: string;
  readonly id: string;
  /** Works out the next state, or says why there is none. Reads by the given handle only: it may be a transaction. */
  readonly step: (
    former: WaiverState,
    now: Date,
    database: Database,
  ) => Promise<NextState | { readonly refusal: Refusal }>;
  readonly onWritten: (written: Written) => void;
}

/** What came of a change. */
export type ChangeOutcome<Refusal> =
  | { readonly outcome: 'changed'; readonly record: WaiverRecord }
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly record: WaiverRecord }
  | { readonly outcome: 'not-found' };

// Two callers that change one record at once are rare; three times in a row, and the row is locked first.
const freeTries = 3;

/**
 * Changes a record: reads it without a lock, works out the next state, and stores it where the record is still at
 * that version. One round trip to read, one to write.
 */
export async function changeWaiver<Refusal>(
  database: Database,
  request: WaiverStepRequest<Refusal>,
): Promise<ChangeOutcome<Refusal>> {
  for (let tries = 0; tries < freeTries; tries += 1) {
    const outcome = await retryDeadlock(() => changeOnce(database, request, {}));
    if (outcome !== 'outrun') return outcome;
  }
  return retryDeadlock(() =>
    database.transaction().execute(async (transaction) => {
      const outcome = await changeOnce(transaction, request, { lock: true });
      if (outcome === 'outrun') throw new Error('a locked record was changed by another transaction');
      return outcome;
    }),
  );
}

async function changeOnce<Refusal>(
  database: Database,
  { pool, id, step, onWritten }: WaiverStepRequest<Refusal>,
  options: { readonly lock?: boolean },
): Promise<ChangeOutcome<Refusal> | 'outrun'> {
  const read = () => readPool(database, pool);
  const early = options.lock === true ? undefined : read();
  // Handled here too: where the record's own read fails, nobody waits for this one.
  early?.catch(() => {});
  const former = await readWaiver(database, pool, id, options);
  if (former === undefined) return { outcome: 'not-found' };
  const reading = await (early ?? read());
  const result = await step(former, reading.now, database);
  if ('refusal' in result) {
    return { outcome: 'refused', refusal: result.refusal, record: withoutSource(former) };
  }
  const { next, takeback } = result;
  const messages = planMessages(next, takeback, reading);
  const written = await updateWaivers(database, [{ formerVersion: former.version, next }], messages);
  if (written.changed === 0) return 'outrun';
  onWritten(written);
  return { outcome: 'changed', record: withoutSource(next) };
}
