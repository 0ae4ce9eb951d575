import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { FaultPlan } from '../faults/fault-plan.ts';
import { playFault } from '../faults/play-fault.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import { readBody } from './read-body.ts';
import type { ReceivedRequest, SimulatedAnswer } from './received-request.ts';
import { RequestLog } from './request-log.ts';
import { sendAnswer } from './send-answer.ts';

/** What every simulated server has. */
export interface RecordingServer<Route extends string> {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** Every request so far, oldest first; the same array for as long as the server runs. */
  readonly received: readonly ReceivedRequest<Route>[];
  /**
   * Waits until the requests of one route satisfy a condition (a number: that many have come) and returns them.
   * Rejects after `timeoutMilliseconds` (10,000 where not given), saying what has come.
   */
  untilReceived(
    route: Route | 'other',
    condition: number | ((requests: readonly ReceivedRequest<Route>[]) => boolean),
    timeoutMilliseconds?: number,
  ): Promise<readonly ReceivedRequest<Route>[]>;
  /** What to do wrong, and when. */
  readonly faults: FaultPlan<Route>;
  /** Ends every connection, hanging ones too, and frees the port. */
  close(): Promise<void>;
}

/** What a simulated server is made of. */
interface RecordingServerOptions<Route extends string> {
  /** 0 or absent: a free one. */
  readonly port?: number | undefined;
  readonly routeOf: (method: string, path: string) => Route | 'other';
  readonly answer: (request: ReceivedRequest<Route>) => SimulatedAnswer;
}

/** Starts a server on 127.0.0.1 that records each request before it answers or plays a fault. */
export async function startRecordingServer<Route extends string>({
  port = 0,
  routeOf,
  answer,
}: RecordingServerOptions<Route>): Promise<RecordingServer<Route>> {
  const log = new RequestLog<Route>();
  const faults = new FaultPlan<Route>();
  const closing = new AbortController();

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = new Date();
    const { method = '', url: path = '', headers, rawHeaders } = message;
    const body = await readBody(message);
    if (!body) {
      sendAnswer(response, { status: 413, body: { success: false, message: 'the body is too large' } });
      return;
    }
    const request = { route: routeOf(method, path), method, path, headers, rawHeaders, body, at };
    const fault = request.route === 'other' ? undefined : faults.take(request.route);
    const recorded = log.add(request);
    const usual = () => log.answered(recorded, answer(request));
    if (fault) await playFault(fault, { response, usual, signal: closing.signal });
    else sendAnswer(response, usual());
  }

  const server = createServer((message, response) => {
    handle(message, response).catch((error: unknown) => {
      // The caller hung up or the server closes: nobody is left to be told.
      if (response.destroyed || response.headersSent || closing.signal.aborted) response.destroy();
      else sendAnswer(response, { status: 500, body: { success: false, message: String(error) } });
    });
  });
  const url = await listenOnLoopback(server, port);
  return {
    url,
    received: log.requests,
    faults,
    untilReceived: (route, condition, timeoutMilliseconds) =>
      log.until(route, condition, timeoutMilliseconds),
    async close() {
      closing.abort();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
