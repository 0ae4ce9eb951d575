import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type SimulatedAnswer, sendAnswer, sendText } from '../http/received-request.ts';

/** A deviation from the normal response. Unless stated otherwise, the request takes effect. */
export type Fault =
  /** Waits, then responds normally or with another fault. */
  | { readonly kind: 'latency'; readonly milliseconds: number; readonly followedBy?: Fault }
  /** Responds with another status; the request does not take effect. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The `Retry-After` header: seconds or an HTTP date. */
      readonly retryAfter?: number | string;
      /** A text is sent as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  /**
   * Resets the connection: before any response (the request does not take effect), after the response's headers, or after
   * the complete response.
   */
  | { readonly kind: 'reset'; readonly when: 'before-answer' | 'after-headers' | 'after-answer' }
  /** Never responds; the request does not take effect. */
  | { readonly kind: 'hang' }
  /** The normal response, a few bytes at a time. */
  | { readonly kind: 'slow-body'; readonly bytesPerSecond: number }
  /** An HTML page instead of JSON; the request does not take effect. */
  | { readonly kind: 'html'; readonly status?: number }
  /** A redirect; the request does not take effect. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** Status 200 with `{"success":false}`; the request does not take effect. */
  | { readonly kind: 'refusal'; readonly message?: string };

/** The planned faults of each route, played in the order of planning. */
export class FaultPlan<Route extends string> {
  readonly #planned = new Map<Route, { readonly fault: Fault; left: number }[]>();

  /** Plays a fault for the next requests of a route, after those already planned. */
  next(route: Route, fault: Fault, times = 1): void {
    const planned = this.#planned.get(route) ?? [];
    planned.push({ fault, left: times });
    this.#planned.set(route, planned);
  }

  /** Plays a fault for every request of a route until cleared. */
  always(route: Route, fault: Fault): void {
    this.next(route, fault, Number.POSITIVE_INFINITY);
  }

  /** Removes the planned faults of a route, or of all routes. */
  clear(route?: Route): void {
    if (route === undefined) this.#planned.clear();
    else this.#planned.delete(route);
  }

  /** Takes the fault for the next request; `undefined` for a normal response. */
  take(route: Route): Fault | undefined {
    const planned = this.#planned.get(route) ?? [];
    const first = planned[0];
    if (!first) return undefined;
    first.left -= 1;
    if (first.left <= 0) planned.shift();
    return first.fault;
  }
}

const ticksPerSecond = 20;
const headers = { 'content-type': 'application/json' };

/** Sends a response at a limited speed, with its actual `Content-Length`. */
async function sendSlowBody(
  response: ServerResponse,
  { status, body }: SimulatedAnswer,
  bytesPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const step = Math.max(1, Math.round(bytesPerSecond / ticksPerSecond));
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  for (let start = 0; start < bytes.length && !response.destroyed; start += step) {
    response.write(bytes.subarray(start, start + step));
    await wait((step / bytesPerSecond) * 1000, undefined, { signal });
  }
  response.end();
}

const page = '<!doctype html><html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>';

/** The response of a fault with a status; a text is sent as it is. */
export const answerOfFault = ({
  status,
  retryAfter,
  body = { success: false },
}: Fault & { kind: 'status' }): SimulatedAnswer => ({
  status,
  ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
  body,
});

/** The request that a fault affects. */
interface FaultTarget {
  readonly response: ServerResponse;
  /** Carries out the request and returns the normal response. */
  readonly carryOut: () => SimulatedAnswer;
  /** Aborted when the server closes. */
  readonly signal: AbortSignal;
}

/** Plays a fault. Resolves when nothing more will be written to the response. */
export async function playFault(fault: Fault, target: FaultTarget): Promise<void> {
  const { response, carryOut, signal } = target;
  switch (fault.kind) {
    case 'latency':
      await wait(fault.milliseconds, undefined, { signal });
      if (fault.followedBy) await playFault(fault.followedBy, target);
      else sendAnswer(response, carryOut());
      return;
    case 'status': {
      const answer = answerOfFault(fault);
      for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
      if (typeof answer.body === 'string') sendText(response, answer.status, answer.body, 'text/plain');
      else sendAnswer(response, answer);
      return;
    }
    case 'reset':
      await reset(fault.when, target);
      return;
    case 'hang':
      return;
    case 'slow-body':
      await sendSlowBody(response, carryOut(), fault.bytesPerSecond, signal);
      return;
    case 'html':
      sendText(response, fault.status ?? 200, page, 'text/html');
      return;
    case 'redirect':
      response.writeHead(fault.status ?? 302, { location: fault.location, 'content-length': 0 }).end();
      return;
    case 'refusal':
      sendAnswer(response, {
        status: 200,
        body: { success: false, message: fault.message ?? 'the waiver was not taken' },
      });
  }
}

async function reset(
  when: 'before-answer' | 'after-headers' | 'after-answer',
  { response, carryOut }: FaultTarget,
): Promise<void> {
  const socket = response.socket;
  if (when !== 'before-answer') {
    const { status, body } = carryOut();
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    const written = Promise.withResolvers<void>();
    if (when === 'after-answer') response.end(text, () => written.resolve());
    else {
      response.flushHeaders();
      // A byte of the body ensures that the headers were sent before the reset.
      response.write(text.slice(0, 1), () => written.resolve());
    }
    await written.promise;
    // On a reset, the caller's kernel discards unread data: give it time to read.
    await wait(10);
  }
  socket?.resetAndDestroy();
}
