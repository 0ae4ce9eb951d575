import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../answers/problems.ts';
import type { HostApp } from './host-app.ts';

/**
 * Calls `run` for each request, to routes added later, whose caller closes the connection before the response is
 * complete. Fastify calls `onResponse` only for the others.
 */
export function whenAborted(app: HostApp, run: (request: FastifyRequest, reply: FastifyReply) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) run(request, reply);
    });
    done();
  });
}

/**
 * Aborts when the caller closes the connection before the response is complete. Fastify's `request.signal` aborts once a
 * body was read to its end, too, and not at all if that was before it was asked for.
 */
export function callerSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) left.abort();
  };
  if (raw.closed) onClose();
  else raw.once('close', onClose);
  return left.signal;
}

// Browsers and load balancers open connections in advance. Node does not count one without a request as idle, and would
// wait for it.
function closeUnusedConnections(app: HostApp): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}

/**
 * For `localhost`, Fastify would also listen on `::1`, with a second server. If another program had that port there,
 * callers would reach one or the other, without any error.
 */
const addressOf = (host: string) => (host === 'localhost' ? '127.0.0.1' : host);

/**
 * Starts to listen.
 * @returns the URL, with the actual port
 */
export async function listen(app: HostApp, { host, port }: { host: string; port: number }): Promise<string> {
  // After the other hooks: no connection is accepted between this one and the end of listening.
  closeUnusedConnections(app);
  await app.listen({ host: addressOf(host), port });
  const address = app.server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
}

/** Stops listening and finishes open requests. Closes the connections that are still open after `graceMs`. */
export async function stopListening(app: HostApp, graceMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}

type ConnectionError = Error & { code?: string };

const answers: Readonly<Record<string, readonly [number, string, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'headers_too_large',
    'The headers or the address are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'request_timeout',
    'The request took too long to arrive.',
  ],
};

const otherwise = [400, 'Bad Request', 'malformed', 'This is not an HTTP request that we can read.'] as const;

const latestResponses = new WeakMap<Socket, ServerResponse>();

/** Remembers the latest response of each connection: see {@link answerClientError}. */
export function watchConnections(app: HostApp): void {
  app.server.on('request', ({ socket }, response) => latestResponses.set(socket, response));
}

// The rest of a body may break off, or be malformed, after its request was answered.
function hasAnsweredThis(socket: Socket): boolean {
  const response = latestResponses.get(socket);
  if (response === undefined || !response.headersSent) return false;
  return !response.writableFinished || !response.req.complete;
}

/** Responds to input that the HTTP parser rejects, unless its request has a response already. */
export function answerClientError(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  this.log.debug({ code: error.code }, 'a connection brought no readable request');
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (hasAnsweredThis(socket)) {
    socket.destroySoon();
    return;
  }
  const [status, reason, code, message] = answers[error.code ?? ''] ?? otherwise;
  const body = JSON.stringify({ success: false, message, code });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * A third of what 3G promises upstream (384 kbit/s), so that a phone with a weak signal gets through: 4 MiB may take
 * four minutes.
 */
const minBytesPerSecond = 16 * 1024;
/** Free of the rule: a phone may look for another cell. */
const graceMs = 10_000;
const checkEveryMs = 1_000;

/** Longer than the largest body takes at the minimum speed: Node then ends the connection. */
export const maxRequestMs = 400_000;

const tooSlow = () =>
  new HttpProblem(
    408,
    'request_timeout',
    `The body arrived more slowly than ${minBytesPerSecond / 1024} KiB a second. Send the request again, unchanged.`,
    { headers: { connection: 'close' } },
  );

/** Whether a body that began `elapsedMs` ago should have more bytes by now. */
export const isTooSlow = (bytes: number, elapsedMs: number): boolean =>
  bytes < ((elapsedMs - graceMs) / 1_000) * minBytesPerSecond;

/** Ends requests whose body trickles, so that it does not hold what its caller shares with others. */
export function endSlowBodies(app: HostApp): void {
  app.addHook('preParsing', async ({ raw }, _reply, payload) => {
    // The whole body arrived with the headers.
    if (raw.complete) return payload;
    const startedAt = performance.now();
    let bytes = 0;
    const body = countedBody(payload, (length) => {
      bytes += length;
    });
    const timer = setInterval(() => {
      if (isTooSlow(bytes, performance.now() - startedAt)) body.destroy(tooSlow());
    }, checkEveryMs);
    body.once('close', () => clearInterval(timer));
    return body;
  });
}

/** How long a caller may read nothing of a response. */
const maxStallMs = 30_000;

/**
 * Closes connections whose caller has stopped reading a response, so that neither its memory nor the source of a
 * streamed one is held for a caller that may be gone. A response with nothing to send yet may wait.
 */
export function endStalledResponses(app: HostApp, stallMs: number = maxStallMs): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // Node restarts this timer whenever the system accepts a part, and replaces it once the response has ended.
    raw.setTimeout(stallMs, () => {
      if (raw.socket !== null && raw.socket.writableLength > 0) raw.socket.destroy();
    });
    done(null, payload);
  });
}

/** A body that is refused for now is answered after this time. Its caller waits as long before sending the next one. */
const busyMs = 1_000;

/**
 * A request's body, with each of its parts announced as it arrives; `onPart` may throw to refuse the rest. It ends once
 * `beforeEnd` has. Destroying it with a problem refuses the request, which can still be answered: the connection stays.
 */
export function countedBody(
  body: Readable,
  onPart: (bytes: number) => void,
  beforeEnd: () => Promise<void> = async () => {},
): Transform {
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        onPart(part.length);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      done(null, part);
    },
    flush(done) {
      beforeEnd().then(() => done(), done);
    },
    destroy(error, done) {
      if (error instanceof HttpProblem && error.status === 429) setTimeout(done, busyMs, error);
      else done(error);
    },
  });
  body.once('error', (error) => counted.destroy(error));
  body.once('close', () => {
    // The caller has gone.
    if (!counted.writableEnded) counted.destroy(new Error('the body broke off'));
  });
  counted.once('close', () => {
    body.unpipe(counted);
    // What follows is read and dropped: a caller who is still sending hears the answer only then.
    body.resume();
  });
  // Also heard once nobody reads it any more.
  counted.on('error', () => {});
  return body.pipe(counted);
}
