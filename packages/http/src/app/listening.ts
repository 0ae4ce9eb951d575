import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { HostApp } from './host-app.ts';

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
