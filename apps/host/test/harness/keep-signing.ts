import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@waiver-service/testing';
import type { TimedMessage } from './timed-receiver.ts';

const callers = 4;

/** Calls some host; rejects where a connection breaks. */
type CallSomeHost = (method: string, path: string, body: unknown, turn: number) => Promise<Answer>;

/** A write that was answered with success. */
export interface AcceptedWrite {
  readonly id: string;
  readonly updatedAt: string;
  /** When its answer came, and how long it took; by `performance.now()`, in milliseconds. */
  readonly at: number;
  readonly durationMs: number;
}

/** Waivers that are signed and changed all the time. */
export interface SigningLoad {
  readonly accepted: readonly AcceptedWrite[];
  /** The answers that were no success. */
  readonly refusals: readonly Answer[];
  /** Calls whose connection broke. */
  readonly broken: () => number;
  /** Ends it; returns when the last version of each waiver was accepted. */
  end(): Promise<Map<string, string>>;
}

/** Signs and changes waivers until told to end; repeats requests that fail for the host's faults, unchanged. */
export function keepSigning(callSomeHost: CallSomeHost): SigningLoad {
  const accepted: AcceptedWrite[] = [];
  const refusals: Answer[] = [];
  let broken = 0;
  let isOver = false;
  const write = async (method: string, path: string, body: unknown, turn: number) => {
    for (;;) {
      const started = performance.now();
      const answer = await callSomeHost(method, path, body, turn).catch(() => undefined);
      if (answer === undefined) broken += 1;
      else if (answer.status < 300) {
        const { id, updatedAt } = answer.body;
        const at = performance.now();
        accepted.push({ id, updatedAt, at, durationMs: at - started });
        return;
      } else refusals.push(answer);
      if (answer !== undefined && answer.status < 500) return;
      await delay(50);
    }
  };
  const calling = Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let count = 0; !isOver; count += 1) {
        const id = `W-${caller}-${count}`;
        const waiver = { id, bookingId: 'B-1', currentPage: 'first', answers: { name: 'Ada' } };
        await write('POST', '/v1/pools/p/waivers', waiver, count);
        await write('PATCH', `/v1/pools/p/waivers/${id}`, { currentPage: null }, count + 1);
        await delay(10);
      }
    }),
  );
  // Where the test ends before the load does, its own error is the one to show.
  calling.catch(() => {});
  return {
    accepted,
    refusals,
    broken: () => broken,
    async end() {
      isOver = true;
      await calling;
      return new Map(accepted.map(({ id, updatedAt }) => [id, updatedAt]));
    },
  };
}

/** The destination and the waiver of a message. */
export const laneOf = ({ destination, waiverId }: TimedMessage) => `${destination} ${waiverId}`;

/** The destination, the waiver and the version of a message. */
export const nameOf = (message: TimedMessage) => `${laneOf(message)} ${message.updatedAt}`;

/**
 * The last versions that did not arrive at each destination. A newer one serves too: the service itself changes a waiver
 * when its booking has been read.
 */
export function missingMessages(
  last: ReadonlyMap<string, string>,
  destinations: readonly string[],
  messages: readonly TimedMessage[],
): string[] {
  const newest = new Map<string, string>();
  for (const message of messages) {
    const lane = laneOf(message);
    if (message.updatedAt > (newest.get(lane) ?? '')) newest.set(lane, message.updatedAt);
  }
  return destinations
    .flatMap((destination) => [...last].map(([waiverId, at]) => ({ lane: `${destination} ${waiverId}`, at })))
    .filter(({ lane, at }) => (newest.get(lane) ?? '') < at)
    .map(({ lane, at }) => `${lane} ${at}`);
}

/** The messages that came after a newer one of the same waiver, at the same destination. */
export function messagesOutOfOrder(messages: readonly TimedMessage[]): TimedMessage[] {
  const lanes = Map.groupBy(messages, laneOf);
  return [...lanes.values()].flatMap((lane) =>
    lane.filter(({ updatedAt }, place) => updatedAt < (lane[place - 1]?.updatedAt ?? '')),
  );
}
