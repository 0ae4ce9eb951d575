import { AsyncLocalStorage } from 'node:async_hooks';
import type { Turn } from '@waiver-service/http';
import { countedAddress, HttpProblem } from '@waiver-service/http';
import type { ServiceIdentifier } from 'inversify';
import type { GuestSource } from './guest-budgets.ts';

/** Guests' requests take turns at the processor and the database, in this process. */
export interface GuestTurns {
  /** @throws HttpProblem 429 `pool_busy` if too many wait */
  take(source: GuestSource): Turn;
  /** Waits for a turn and runs `work` in it. @throws as {@link take} */
  run<Result>(source: GuestSource, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}
export const GuestTurns: ServiceIdentifier<GuestTurns> = Symbol('GuestTurns');

/** How many requests may be in progress, and wait, at a time. A source is a link, a kiosk or an IP address. */
export interface TurnLimits {
  readonly maxOfPool: number;
  readonly maxOfSource: number;
  readonly maxWaitingOfPool: number;
  readonly maxWaitingOfSource: number;
}

/*
 * Every pool competes with the others for one event loop: with one request at a time, a link that floods takes half of
 * what another pool's guest needs. A second one is for the other guests of its pool. 250 may wait, as a school class
 * behind one address presses the button at once: 200 guests.
 */
const defaultLimits: TurnLimits = {
  maxOfPool: 2,
  maxOfSource: 1,
  maxWaitingOfPool: 1_000,
  maxWaitingOfSource: 250,
};

interface Entry {
  readonly sources: readonly string[];
  /** In the pool's queue; the lowest is next. */
  readonly place: number;
  begin(): void;
}

interface PoolTurns {
  readonly active: Set<Entry>;
  readonly waiting: Set<Entry>;
  /** The last place that each source has taken. */
  readonly places: Map<string, number>;
  /** The place that began last. */
  reached: number;
}

const busy = () =>
  new HttpProblem(
    429,
    'pool_busy',
    'Too many guests of this pool wait for an answer. Nothing is wrong with this request: send it again, unchanged.',
    { headers: { 'retry-after': '1' } },
  );

const current = new AsyncLocalStorage<Turn>();

/** Waits for someone else, such as a booking system: other guests have their turns meanwhile. */
export function withoutTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return current.getStore()?.pause(work) ?? work();
}

const countOf = (entries: ReadonlySet<Entry>, source: string): number =>
  [...entries].filter(({ sources }) => sources.includes(source)).length;

/**
 * Creates the turns of this process. Sources that wait are served alternately, however many requests each has: a
 * source's requests take places one behind the other, beginning where the pool's queue is now.
 */
export function createGuestTurns(limits: Partial<TurnLimits> = {}): GuestTurns {
  const { maxOfPool, maxOfSource, maxWaitingOfPool, maxWaitingOfSource } = { ...defaultLimits, ...limits };
  const pools = new Map<string, PoolTurns>();

  function nextOf({ active, waiting }: PoolTurns): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of waiting) {
      if (next !== undefined && next.place <= entry.place) continue;
      if (entry.sources.every((source) => countOf(active, source) < maxOfSource)) next = entry;
    }
    return next;
  }

  function beginNext(pool: string, turns: PoolTurns): void {
    while (turns.active.size < maxOfPool) {
      const entry = nextOf(turns);
      if (entry === undefined) break;
      turns.waiting.delete(entry);
      turns.active.add(entry);
      turns.reached = Math.max(turns.reached, entry.place);
      entry.begin();
    }
    if (turns.active.size + turns.waiting.size === 0) pools.delete(pool);
  }

  function turnsOf(pool: string): PoolTurns {
    const turns: PoolTurns = pools.get(pool) ?? {
      active: new Set(),
      waiting: new Set(),
      places: new Map(),
      reached: 0,
    };
    pools.set(pool, turns);
    return turns;
  }

  /** Waits in the queue of a pool. `leave` ends it, also while it waits. */
  function enter(pool: string, sources: readonly string[], place: number) {
    const turns = turnsOf(pool);
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
    // Whoever leaves may not wait for it.
    begun.catch(() => {});
    const entry: Entry = { sources, place, begin: resolve };
    turns.waiting.add(entry);
    beginNext(pool, turns);
    return {
      begun,
      leave() {
        if (turns.waiting.delete(entry)) reject(new Error('the request ended before its turn'));
        turns.active.delete(entry);
        beginNext(pool, turns);
      },
    };
  }

  function take({ pool, link, address }: GuestSource): Turn {
    const sources = [`address ${countedAddress(address)}`, ...(link === null ? [] : [`link ${link}`])];
    const turns = turnsOf(pool);
    if (
      turns.waiting.size >= maxWaitingOfPool ||
      sources.some((source) => countOf(turns.waiting, source) >= maxWaitingOfSource)
    )
      throw busy();
    const place = Math.max(turns.reached, ...sources.map((source) => turns.places.get(source) ?? 0)) + 1;
    for (const source of sources) turns.places.set(source, place);
    let stay = enter(pool, sources, place);
    let isOver = false;
    const turn: Turn = {
      begun: stay.begun,
      run: (work) => current.run(turn, work),
      async pause(work) {
        if (isOver) return work();
        stay.leave();
        try {
          return await work();
        } finally {
          // It has waited for its turn before.
          if (!isOver) {
            stay = enter(pool, sources, 0);
            await stay.begun;
          }
        }
      },
      end() {
        if (isOver) return;
        isOver = true;
        stay.leave();
      },
    };
    return turn;
  }

  return {
    take,
    async run(source, signal, work) {
      const turn = take(source);
      signal.addEventListener('abort', turn.end, { once: true });
      try {
        await turn.begun;
        signal.removeEventListener('abort', turn.end);
        return await turn.run(work);
      } finally {
        turn.end();
      }
    },
  };
}
