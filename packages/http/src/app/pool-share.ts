import type { ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { HttpProblem } from '../answers/problems.ts';
import { countedAddress } from '../callers/rate-limits.ts';
import { countedBody } from './connections.ts';

/** A request's turn. It waits until others of its pool, link and address have ended theirs. */
export interface Turn {
  /** Rejects if the turn is ended first. */
  readonly begun: Promise<void>;
  /** Runs the work of the request, which may wait without its turn (`pause`). */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Lets others go on while `work` is under way. */
  pause<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Call it always, also for a turn that waits. */
  end(): void;
}

/** Who sends a body, and into which pool. */
export interface BodySource {
  readonly pool: string;
  /** The id of the link or kiosk; null for others. */
  readonly link: string | null;
  /** The IP address. */
  readonly address: string;
}

/** The limit on the bodies of a pool's requests. */
export interface PoolShareOptions<Request> {
  readonly sourceOf: (request: Request) => BodySource;
  /** The maximum total size of a pool's bodies at a time. */
  readonly maxPoolBytes?: number;
  /** The same for those by one link, and for those from one address. */
  readonly maxSourceBytes?: number;
  /** Called for each part that arrives. May throw. */
  readonly onPart?: (bytes: number, source: BodySource) => void;
  /** A body that has arrived waits here for its turn to be parsed and handled. */
  readonly turns?: { take(source: BodySource): Turn };
}

/** The source of a waiver app's request: the pool in its path, and its address. */
export const inPool = ({
  params,
  ip,
}: {
  readonly params: { readonly pool: string };
  readonly ip: string;
}): BodySource => ({ pool: params.pool, link: null, address: ip });

/** A body of which some has arrived. */
interface Held {
  readonly sources: readonly string[];
  bytes: number;
  /** Until all of it has arrived. */
  arriving: Transform | undefined;
  isHandling: boolean;
  turn: Turn | undefined;
  /** Whether its turn has begun. */
  hasBegun: boolean;
  release(): void;
}

interface PoolBodies {
  bytes: number;
  readonly ofSource: Map<string, number>;
  readonly held: Set<Held>;
}

/** A body of at most this size takes little of what other pools need. */
const smallBytes = 256 * 1024;
const maxTurnBytesPerSecond = 8 * 1024 ** 2;

/**
 * How long the turn of a link or address lasts after its body was handled. One of 4 MiB takes tens of milliseconds of the
 * event loop: a source that sends one after another must leave more than that to others.
 */
const restAfter = (bytes: number): number =>
  bytes <= smallBytes ? 0 : (bytes / maxTurnBytesPerSecond) * 1_000;

const poolBusy = (maxPoolBytes: number) =>
  new HttpProblem(
    429,
    'pool_busy',
    `Requests of this pool with ${maxPoolBytes / 1024 ** 2} MiB together are under way. Nothing is wrong with this one: send it again, unchanged.`,
    { headers: { 'retry-after': '1' } },
  );

/**
 * Bounds the memory that the requests of one pool take. A body counts by what has arrived, whatever its headers promise,
 * until its handler ends, even if the caller has gone.
 *
 * If a pool's share is used up, the link or address that holds most of it gives way: of its bodies that are still
 * arriving, one is refused for each that has less. So others get through, however many connections it has.
 */
export function createPoolShare<Request extends object>({
  sourceOf,
  maxPoolBytes = 4 * 1024 * 1024,
  maxSourceBytes = maxPoolBytes,
  onPart,
  turns,
}: PoolShareOptions<Request>) {
  const pools = new Map<string, PoolBodies>();
  const heldBy = new WeakMap<object, Held>();

  function change(bodies: PoolBodies, held: Held, bytes: number): void {
    held.bytes += bytes;
    bodies.bytes += bytes;
    for (const source of held.sources) {
      const sum = (bodies.ofSource.get(source) ?? 0) + bytes;
      if (sum === 0) bodies.ofSource.delete(source);
      else bodies.ofSource.set(source, sum);
    }
  }

  const weightOf = ({ ofSource }: PoolBodies, { sources }: Held): number =>
    Math.max(...sources.map((source) => ofSource.get(source) ?? 0));

  /** The arriving body of the link or address that holds most; undefined if none holds more than `least`. */
  function heaviest(bodies: PoolBodies, least: number): Held | undefined {
    let found: Held | undefined;
    let weight = least;
    for (const held of bodies.held) {
      if (held.arriving === undefined || held.bytes === 0 || weightOf(bodies, held) <= weight) continue;
      found = held;
      weight = weightOf(bodies, held);
    }
    return found;
  }

  function arrive(bodies: PoolBodies, held: Held, bytes: number): void {
    change(bodies, held, bytes);
    const isOverPart = weightOf(bodies, held) > maxSourceBytes;
    while (isOverPart || bodies.bytes > maxPoolBytes) {
      const other = isOverPart ? undefined : heaviest(bodies, weightOf(bodies, held));
      (other ?? held).release();
      if (other === undefined) throw poolBusy(maxPoolBytes);
      other.arriving?.destroy(poolBusy(maxPoolBytes));
    }
  }

  return {
    /** For `preParsing`: the body, counted as it arrives. */
    async take(
      request: Request,
      { raw }: { readonly raw: ServerResponse },
      payload: Readable,
    ): Promise<Readable> {
      const source = sourceOf(request);
      const { pool, link, address } = source;
      const bodies: PoolBodies = pools.get(pool) ?? { bytes: 0, ofSource: new Map(), held: new Set() };
      const sources = [`address ${countedAddress(address)}`, ...(link === null ? [] : [`link ${link}`])];
      const held: Held = {
        sources,
        bytes: 0,
        arriving: undefined,
        isHandling: false,
        turn: undefined,
        hasBegun: false,
        release() {
          if (held.turn !== undefined) {
            const restMs = held.hasBegun ? restAfter(held.bytes) : 0;
            if (restMs === 0) held.turn.end();
            else setTimeout(held.turn.end, restMs);
          }
          if (!bodies.held.delete(held)) return;
          change(bodies, held, -held.bytes);
          if (bodies.held.size === 0) pools.delete(pool);
        },
      };
      bodies.held.add(held);
      pools.set(pool, bodies);
      const body = countedBody(
        payload,
        (bytes) => {
          onPart?.(bytes, source);
          if (bodies.held.has(held)) arrive(bodies, held, bytes);
        },
        async () => {
          if (!bodies.held.has(held)) return;
          held.turn = turns?.take(source);
          await held.turn?.begun;
          held.hasBegun = true;
        },
      );
      held.arriving = body;
      body.once('end', () => {
        held.arriving = undefined;
      });
      heldBy.set(request, held);
      // The answer was sent, or the caller has gone.
      raw.once('close', () => {
        if (!held.isHandling) held.release();
      });
      return body;
    },
    /** Runs the handler of a request. */
    async handle<Answer>(request: Request, run: () => Promise<Answer>): Promise<Answer> {
      const held = heldBy.get(request);
      if (held !== undefined) held.isHandling = true;
      try {
        return await (held?.turn?.run(run) ?? run());
      } finally {
        held?.release();
      }
    },
  };
}
