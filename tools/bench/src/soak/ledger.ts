import type { Arrival } from '../receivers/messages.ts';

/** Compares accepted changes with arrivals. Each record is sent to a webhook and to a booking system. */
export interface Ledger {
  /** Before the first request of a record. */
  begin(id: string): void;
  /** A change was answered, at a time of the machine's steady clock. */
  accept(id: string, updatedAt: string, at: number): void;
  /** No further change follows; an erased record is still reported as deleted. */
  finish(id: string, isErased: boolean): void;
  /** @returns the milliseconds from the answer to the arrival; `undefined` if no answered change matches */
  arrive(arrival: Arrival): number | undefined;
  /** Forgets records whose latest versions arrived several checks ago. */
  forgetSettled(): void;
  /** The records with outstanding arrivals. */
  missing(): readonly string[];
  /** The records of which an older version arrived after a newer one. */
  readonly outOfOrder: readonly string[];
  /** Messages that arrived more than once. */
  readonly repeated: number;
}

interface Entry {
  readonly acceptedAt: Map<string, number>;
  latest: string;
  isFinished: boolean;
  isErased: boolean;
  /** The latest arrivals, at the webhook and at the booking system. */
  webhook: Arrival | undefined;
  guestUpdate: Arrival | undefined;
  /** Consecutive checks at which everything had arrived. */
  settledFor: number;
}

// Keeps a record long enough to match late repetitions.
const settledLooks = 3;

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>();
  const outOfOrder: string[] = [];
  let repeated = 0;

  const hasArrived = ({ isErased, latest }: Entry, arrival: Arrival | undefined) =>
    arrival !== undefined && (isErased ? arrival.deleted : arrival.updatedAt === latest);
  const isSettled = (entry: Entry) =>
    entry.isFinished && hasArrived(entry, entry.webhook) && hasArrived(entry, entry.guestUpdate);

  return {
    outOfOrder,
    get repeated() {
      return repeated;
    },
    begin(id) {
      entries.set(id, {
        acceptedAt: new Map(),
        latest: '',
        isFinished: false,
        isErased: false,
        webhook: undefined,
        guestUpdate: undefined,
        settledFor: 0,
      });
    },
    accept(id, updatedAt, at) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entry.acceptedAt.set(updatedAt, at);
      entry.latest = updatedAt;
    },
    finish(id, isErased) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entry.isFinished = true;
      entry.isErased = isErased;
    },
    arrive(arrival) {
      const { id, updatedAt, isWebhook, at } = arrival;
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      const former = isWebhook ? entry.webhook : entry.guestUpdate;
      if (former !== undefined && updatedAt < former.updatedAt) {
        outOfOrder.push(id);
        return undefined;
      }
      if (former?.updatedAt === updatedAt) repeated += 1;
      if (isWebhook) entry.webhook = arrival;
      else entry.guestUpdate = arrival;
      const since = entry.acceptedAt.get(updatedAt);
      return since === undefined ? undefined : Math.max(0, at - since);
    },
    forgetSettled() {
      for (const [id, entry] of entries) {
        if (!isSettled(entry)) continue;
        entry.settledFor += 1;
        if (entry.settledFor > settledLooks) entries.delete(id);
      }
    },
    missing: () => [...entries].flatMap(([id, entry]) => (isSettled(entry) ? [] : id)),
  };
}
