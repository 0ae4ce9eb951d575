import type { AlertEvent } from '@waiver-service/api';
import type { DatabaseTransaction } from './data/tables.ts';

/** Something that operators may have to know. */
export interface Occurrence {
  readonly event: AlertEvent;
  /** The destination that it is about, or what failed in a `fault`, such as `plugin bookeo`. */
  readonly subject: string;
  /** How often it happened; 1 by default. 0: it goes on, and is sent only if it has not been. */
  readonly times?: number;
  /** Since when it goes on: it is sent once. Without it, it is sent each time. */
  readonly since?: Date | null;
  /** A `fault`, as a sentence for people, without secrets or guests' data. */
  readonly detail?: string;
}

/**
 * Tells features of occurrences. Call it last in the transaction that records them: features take locks, after those of
 * any destinations, and nothing is locked after theirs.
 */
export type ReportOccurrences = (
  transaction: DatabaseTransaction,
  occurrences: readonly Occurrence[],
) => Promise<void>;
