import { poolIdSchema } from '@waiver-service/core';
import { type Outbound, type RelayedAnswer, RelayFailed } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { receivedBody } from '../http/received-body.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { cellOfKey } from './cell-of-key.ts';
import {
  cellsBefore,
  forwardedByHeader,
  headersToAnswer,
  headersToSend,
  maxHops,
} from './forwarded-headers.ts';
import { LivesElsewhere } from './lives-elsewhere.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where a request was sent on to, and its id there. */
    sentOn: { readonly cell: string; readonly requestId: string | undefined } | null;
  }
}

/** Finds the cell that a request belongs to, and sends it on there. */
export interface Cells {
  /**
   * To be asked when a key or token is not known here, with the pool that the request is about, if it says one.
   * @throws LivesElsewhere if that pool has moved, or another cell has created the key
   */
  lookForKey(request: FastifyRequest, key: string, pool?: string): Promise<void>;
  /**
   * To be asked when an app pool key is not known here.
   * @throws LivesElsewhere if its pool has moved, or another cell has created the key
   */
  lookForPoolKey(request: FastifyRequest, key: string): Promise<void>;
  /**
   * For a call that any cell may get: an install or an uninstall.
   * @throws LivesElsewhere if the pool has moved, or is not here and this is the first cell that is asked
   */
  lookForPool(request: FastifyRequest, pool: string): Promise<void>;
  /** @throws HttpProblem 421 `pool_moved` */
  requireHere(pool: string): Promise<void>;
  /** Whether what is not found of a pool may be in another cell: it has left, or is just arriving there. */
  mayBeElsewhere(pool: string): Promise<boolean>;
  /** @throws HttpProblem 421 `other_cell` if another cell has created a person's token */
  requireOwnToken(token: string): void;
  /** The base address that a request was sent to first: a vendor's signature may be over it. */
  addressedTo(request: FastifyRequest): string | undefined;
  /** Sends a request on, and answers it as the other cell does. Rejects with `HttpProblem`. */
  sendOn(request: FastifyRequest, reply: FastifyReply, elsewhere: LivesElsewhere): Promise<FastifyReply>;
  /** Ends the reads that still wait for another cell after a moment: the host is closing. */
  stopWaiting(): void;
}

export interface CellsParts {
  readonly settings: Pick<HostSettings, 'cell' | 'cells' | 'outboundTimeout'>;
  readonly store: Pick<Store, 'movedPools'> & { readonly pools: Pick<Store['pools'], 'setup'> };
  readonly outbound: Pick<Outbound, 'relay'>;
}

// The longest that an answer is held back on purpose: the feed of changes waits.
const longestWaitMs = 30_000;
const graceMs = 10_000;
// Of a search in all cells: proxies must wait as long for a feed, and many wait little longer.
const maxSearchMs = longestWaitMs;
// A closing host lets a read that is under way end, and no feed wait.
const closingGraceMs = 1_000;

function unavailable(cell: string, cause?: unknown): HttpProblem {
  const message = `This is in the cell ${cell}, which cannot be reached: repeat the request.`;
  return new HttpProblem(503, 'cell_unavailable', message, { headers: { 'retry-after': '5' }, cause });
}

const loop = (cells: readonly string[]) =>
  new HttpProblem(
    508,
    'cell_loop',
    `The cells do not agree where this is; it was sent on by ${cells.length} of them. Repeat the request: while a pool moves, they may disagree for a moment. If it lasts, look at CELLS of each.`,
    { headers: { 'retry-after': '5' } },
  );

const notFoundInTime = (cause: unknown) =>
  new HttpProblem(
    503,
    'cell_unavailable',
    'The other cells have not said in time whether they have the pool: repeat the request.',
    { headers: { 'retry-after': '5' }, cause },
  );

const nothingMoved: Store['movedPools'] = {
  movedTo: async () => undefined,
  movedToByKey: async () => undefined,
  mayBeElsewhere: async () => false,
};

const isFinal = (status: number) => status >= 200 && status < 600;

const hasNoBody = (status: number) => status === 204 || status === 205 || status === 304;

/** Whether an answer says that the cell does not know the pool, or the key that would show it. */
const isNotThere = ({ status }: RelayedAnswer) => status === 401 || status === 404;

/** Reads an answer to its end, so that its connection can be used again. */
function drop({ body }: RelayedAnswer): void {
  body.on('error', () => {});
  body.resume();
}

// A proxy's form of a request names the host as well.
const pathOf = (url: string) => url.replace(/^[^/?]+:\/\/[^/?]*/, '');

/** Creates the {@link Cells} of this process. */
export function createCells({ settings, store, outbound }: CellsParts): Cells {
  const { cell: own, cells: others, outboundTimeout } = settings;
  const { pools } = store;
  // Nothing has moved away from a cell without a name.
  const movedPools = own === undefined ? nothingMoved : store.movedPools;
  const answerTimeoutMs = longestWaitMs + outboundTimeout + graceMs;
  // An install waits for no feed, and others are to be asked after a cell that is silent.
  const searchTimeoutMs = outboundTimeout + graceMs;
  const searchLimitMs = Math.max(maxSearchMs, searchTimeoutMs);
  const closing = new AbortController();

  // Whoever has no key can name any text as a pool: what cannot be a pool's id is neither looked up nor cached.
  const isPoolId = (pool: string) => poolIdSchema.safeParse(pool).success;
  const movedTo = async (pool: string) => (isPoolId(pool) ? movedPools.movedTo(pool) : undefined);
  const isHere = async (pool: string) => isPoolId(pool) && (await pools.setup(pool)) !== undefined;

  const cellThatCreated = (key: string) => {
    const cell = cellOfKey(key);
    return cell !== undefined && others.has(cell) ? cell : undefined;
  };

  function lookAtName({ headers }: FastifyRequest, key: string): void {
    const cell = cellThatCreated(key);
    // A cell that has sent it here knows the key as little as this one.
    if (cell !== undefined && !cellsBefore(headers).includes(cell)) throw new LivesElsewhere([cell]);
  }

  async function ask(
    cell: string,
    request: FastifyRequest,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<RelayedAnswer> {
    const baseUrl = others.get(cell);
    if (baseUrl === undefined) throw unavailable(cell);
    const { raw, headers, ip } = request;
    const body = await receivedBody(request);
    const { origin, pathname } = new URL(baseUrl);
    try {
      const answer = await outbound.relay.send({
        method: request.method,
        origin,
        path: `${pathname.replace(/\/$/, '')}${pathOf(raw.url ?? '')}`,
        headers: headersToSend({
          rawHeaders: raw.rawHeaders,
          connection: headers.connection,
          clientAddress: ip,
          cells: [...cellsBefore(headers), own ?? ''],
        }),
        body,
        timeoutMs,
        signal,
      });
      if (isFinal(answer.status)) return answer;
      drop(answer);
    } catch (error) {
      if (!(error instanceof RelayFailed)) throw error;
      const { code } = error;
      if (!signal.aborted) request.log.warn({ cell, errorCode: code }, 'a request could not be sent on');
      if (code !== 'timeout') throw unavailable(cell, error);
      throw new HttpProblem(504, 'cell_timeout', `The cell ${cell} has not answered in time.`, {
        cause: error,
      });
    }
    throw unavailable(cell);
  }

  /** The answer of the first cell that knows the pool. They are asked in turn: an install is a write. */
  async function search(
    { cells, otherwise }: LivesElsewhere,
    request: FastifyRequest,
    signal: AbortSignal,
  ): Promise<{ cell: string; answer: RelayedAnswer }> {
    const isSearch = otherwise !== undefined;
    const endsAt = performance.now() + searchLimitMs;
    let failure: unknown = otherwise;
    for (const cell of cells) {
      const leftMs = Math.ceil(endsAt - performance.now());
      if (leftMs <= 0) throw notFoundInTime(failure);
      const isCutShort = isSearch && leftMs < searchTimeoutMs;
      const wholeMs = isSearch ? searchTimeoutMs : answerTimeoutMs;
      try {
        const answer = await ask(cell, request, { timeoutMs: isCutShort ? leftMs : wholeMs, signal });
        if (!isSearch || !isNotThere(answer)) return { cell, answer };
        if (answer.status === 401) {
          request.log.warn({ cell }, 'an install key is not known in another cell: add it there');
        }
        drop(answer);
      } catch (error) {
        failure = isCutShort ? notFoundInTime(error) : error;
      }
    }
    throw failure;
  }

  return {
    async lookForKey(request, key, pool) {
      const moved = pool === undefined ? undefined : await movedTo(pool);
      if (moved !== undefined) throw new LivesElsewhere([moved]);
      // No other cell knows the keys of a pool that is here: this one was revoked, or is wrong.
      if (pool !== undefined && cellThatCreated(key) !== undefined && (await isHere(pool))) return;
      lookAtName(request, key);
    },
    async lookForPoolKey(request, key) {
      const moved = await movedPools.movedToByKey(key);
      // The pool's own cell does not know the key any more, and has sent it here by its name.
      const isRevoked =
        moved !== undefined && cellOfKey(key) === own && cellsBefore(request.headers).includes(moved);
      if (isRevoked) return;
      if (moved !== undefined) throw new LivesElsewhere([moved]);
      lookAtName(request, key);
    },
    async lookForPool(request, pool) {
      const moved = await movedTo(pool);
      if (moved !== undefined) throw new LivesElsewhere([moved]);
      if (others.size === 0 || request.headers[forwardedByHeader] !== undefined) return;
      if (!(await isHere(pool))) throw new LivesElsewhere([...others.keys()], unknownPool(pool));
    },
    async requireHere(pool) {
      const cell = await movedTo(pool);
      if (cell === undefined) return;
      const address = others.get(cell);
      throw new HttpProblem(
        421,
        'pool_moved',
        `The pool ${JSON.stringify(pool)} is in the cell ${cell} now${address === undefined ? '' : `, ${address}`}: use that cell’s console and credentials.`,
      );
    },
    mayBeElsewhere: (pool) => movedPools.mayBeElsewhere(pool),
    requireOwnToken(token) {
      const cell = cellThatCreated(token);
      if (cell === undefined) return;
      throw new HttpProblem(
        421,
        'other_cell',
        `This token is of the cell ${cell}: use it at ${others.get(cell)}.`,
      );
    },
    addressedTo({ headers }) {
      const [first = ''] = cellsBefore(headers);
      return others.get(first);
    },
    async sendOn(request, reply, elsewhere) {
      const before = cellsBefore(request.headers);
      if (before.length >= maxHops || elsewhere.cells.some((cell) => before.includes(cell)))
        throw loop(before);
      const hungUp = new AbortController();
      reply.raw.once('close', () => hungUp.abort());
      if (reply.raw.destroyed) hungUp.abort();
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const signal = isRead ? AbortSignal.any([hungUp.signal, closing.signal]) : hungUp.signal;
      const { cell, answer } = await search(elsewhere, request, signal);
      const headers = headersToAnswer(answer.headers);
      const { 'x-request-id': requestId } = headers;
      request.sentOn = { cell, requestId: typeof requestId === 'string' ? requestId : undefined };
      reply.code(answer.status).headers(headers);
      if (!hasNoBody(answer.status)) return reply.send(answer.body);
      drop(answer);
      return reply.send(null);
    },
    stopWaiting() {
      setTimeout(() => closing.abort(), closingGraceMs).unref();
    },
  };
}
