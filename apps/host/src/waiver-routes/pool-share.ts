import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { maxBodyBytes } from '../http/create-app.ts';
import { HttpProblem } from '../http/http-problem.ts';

/** The limit on the bodies of a pool's requests. */
export interface PoolShareOptions<Request> {
  readonly poolOf: (request: Request) => string;
  /** The maximum size of one body, assumed if a request does not state its own. */
  readonly maxBytes?: number;
  /** The maximum total size of a pool's bodies at a time. */
  readonly maxPoolBytes?: number;
}

interface SizedRequest {
  readonly headers: IncomingHttpHeaders;
}

/** The pool in the path of a request. */
export const inPool = ({ params }: SizedRequest & { readonly params: { readonly pool: string } }): string =>
  params.pool;

interface Held {
  isHandling: boolean;
  release(): void;
}

const poolBusy = (maxPoolBytes: number) =>
  new HttpProblem(
    429,
    'pool_busy',
    `Requests of this pool with ${maxPoolBytes / 1024 ** 2} MiB together are under way. Nothing is wrong with this one: send it again, unchanged.`,
    { headers: { 'retry-after': '1' } },
  );

/**
 * Bounds the memory that the requests of one pool take. A body counts from before it is read until its handler ends, even
 * if the caller has gone.
 */
export function createPoolShare<Request extends SizedRequest>({
  poolOf,
  maxBytes = maxBodyBytes,
  maxPoolBytes = 4 * 1024 * 1024,
}: PoolShareOptions<Request>) {
  const bytesOf = new Map<string, number>();
  const heldBy = new WeakMap<object, Held>();

  function add(pool: string, bytes: number): void {
    const sum = (bytesOf.get(pool) ?? 0) + bytes;
    if (sum === 0) bytesOf.delete(pool);
    else bytesOf.set(pool, sum);
  }

  return {
    /** For `preParsing`. @throws HttpProblem 429 */
    async take(request: Request, { raw }: { readonly raw: ServerResponse }): Promise<void> {
      const pool = poolOf(request);
      // Bodies longer than stated, or than the maximum, are refused.
      const bytes = Math.min(Number(request.headers['content-length'] ?? maxBytes), maxBytes);
      if ((bytesOf.get(pool) ?? 0) + bytes > maxPoolBytes) throw poolBusy(maxPoolBytes);
      add(pool, bytes);
      let isHeld = true;
      const held: Held = {
        isHandling: false,
        release() {
          if (isHeld) add(pool, -bytes);
          isHeld = false;
        },
      };
      heldBy.set(request, held);
      // The answer was sent, or the caller has gone.
      raw.once('close', () => {
        if (!held.isHandling) held.release();
      });
    },
    /** Runs the handler of a request. */
    async handle<Answer>(request: Request, run: () => Promise<Answer>): Promise<Answer> {
      const held = heldBy.get(request);
      if (held !== undefined) held.isHandling = true;
      try {
        return await run();
      } finally {
        held?.release();
      }
    },
  };
}
