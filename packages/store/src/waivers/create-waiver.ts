import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { areAnswersTooLarge } from './answers-size.ts';
import { contentHashOf } from './content-hash.ts';
import { firstState } from './next-state.ts';
import { planMessages } from './plan-messages.ts';
import { readPool, readSessions } from './read-pool.ts';
import type { NewWaiver, WaiverRecord } from './waiver-record.ts';
import { recordOf, withoutSource } from './waiver-row.ts';
import { insertWaiver, type Written } from './write-waivers.ts';

/** What came of making a record. */
export type CreateOutcome =
  | { readonly outcome: 'created'; readonly record: WaiverRecord }
  /** It was there with this content: a repeated call. The record as it is by now. */
  | { readonly outcome: 'same'; readonly record: WaiverRecord }
  | { readonly outcome: 'exists-differently' }
  | { readonly outcome: 'held-by-other-pool' }
  | { readonly outcome: 'unknown-pool' }
  | { readonly outcome: 'answers-too-large' };

/** Stores a new record and enqueues what it sends. */
export async function createWaiver(
  database: Database,
  waiver: NewWaiver,
  onWritten: (written: Written) => void,
): Promise<CreateOutcome> {
  if (areAnswersTooLarge(waiver.answers)) return { outcome: 'answers-too-large' };
  const id = waiver.id ?? uuidv7();
  const [reading, sessions] = await Promise.all([
    readPool(database, waiver.pool),
    waiver.lastVisit === undefined ? readSessions(database, waiver) : [],
  ]);
  if (!reading.known) return { outcome: 'unknown-pool' };
  const state = firstState({ ...waiver, id }, sessions, reading.now);
  const contentHash = contentHashOf(waiver);
  const messages = planMessages(state, undefined, reading);
  const written = await retryDeadlock(() => insertWaiver(database, state, contentHash, messages));
  if (written.changed.length === 0) return existing(database, waiver.pool, id, contentHash);
  onWritten(written);
  return { outcome: 'created', record: withoutSource(state) };
}

async function existing(
  database: Database,
  pool: string,
  id: string,
  contentHash: Buffer,
): Promise<CreateOutcome> {
  const row = await database
    .selectFrom('waiver')
    .selectAll()
    .where('pool', '=', pool)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { outcome: 'held-by-other-pool' };
  if (!contentHash.equals(row.content_hash)) return { outcome: 'exists-differently' };
  return { outcome: 'same', record: recordOf(row) };
}
