import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isBookingSystemError } from '@waiver-service/core';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import { HttpProblem, hiddenMessage, problemBody, problemOf } from '../answers/problems.ts';
import { type Caller, isPerson, requireDeclaredAccess } from '../callers/access.ts';
import { limitAddresses } from '../callers/rate-limits.ts';
import {
  answerClientError,
  endSlowBodies,
  endStalledResponses,
  maxRequestMs,
  watchConnections,
} from './connections.ts';
import type { Faults, HostApp } from './host-app.ts';
import { readJsonBody, zodValidatorCompiler } from './request-data.ts';
import { logRequests } from './request-log.ts';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

// Sees only routes that are added later.
function methodsOfRoutes(app: HostApp): (path: string) => string[] {
  const methodsByUrl = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsByUrl.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) entry.methods.add(one);
    methodsByUrl.set(url, entry);
  });
  return (path) => {
    const fitting = [...methodsByUrl.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort();
  };
}

export const nothingHere = (): HttpProblem =>
  new HttpProblem(404, 'not_found', 'There is nothing at this address.');

/** Responds 404, or 405 if a route that is added later has the path with other methods. */
function answerUnknownAddresses(app: HostApp): void {
  const methodsOf = methodsOfRoutes(app);
  app.setNotFoundHandler((request) => {
    const [path = ''] = request.url.split('?', 1);
    const methods = methodsOf(path);
    if (methods.length === 0) throw nothingHere();
    throw new HttpProblem(405, 'method_not_allowed', `This address takes ${methods.join(', ')}.`, {
      headers: { allow: methods.join(', ') },
    });
  });
}

/** `false`, a number of proxies, or CIDRs. */
type TrustProxy = false | number | readonly string[];

/** Fastify's `trustProxy` option. */
function trustedProxies(trustProxy: TrustProxy) {
  if (trustProxy === false) return false;
  // Given a number, Fastify trusts no proxy; this counts from the nearest one.
  if (typeof trustProxy === 'number') return (_address: string, hop: number) => hop < trustProxy;
  return [...trustProxy];
}

const withoutPort = (address: string) =>
  address.trim().replace(/^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1$2');

/**
 * Removes the ports that some proxies append to forwarded addresses. Otherwise each connection of a client would count
 * as a separate client, and a trusted proxy would not be recognized. Register it before anything that reads
 * `request.ip`.
 */
function readForwardedAddresses(app: HostApp): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const { 'x-forwarded-for': forwarded } = headers;
    if (typeof forwarded === 'string') {
      headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(', ');
    }
    done();
  });
}

/**
 * Responds with a problem to requests that Node's server would reject without a body or ignore: HTTP/1.1 without
 * `Host`, CONNECT, and an unknown `Expect` (which RFC 9110 lets a server ignore). Requires a server with
 * `requireHostHeader: false`.
 */
function answerUnusualRequests(app: HostApp): void {
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') done();
    else done(new HttpProblem(400, 'malformed', 'The request has no Host header.'));
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket) => {
    const problem = new HttpProblem(405, 'method_not_allowed', 'This is not a proxy: it takes no CONNECT.');
    const body = JSON.stringify(problemBody(problem));
    // The client may have closed the connection.
    socket.on('error', () => {});
    socket.end(
      'HTTP/1.1 405 Method Not Allowed\r\nContent-Type: application/json; charset=utf-8\r\nAllow: \r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}

/** The maximum size of a request body in bytes, unless a route sets another. */
export const maxBodyBytes = 256 * 1024;

export interface AppOptions {
  readonly logger: FastifyBaseLogger;
  readonly trustProxy: TrustProxy;
  readonly faults: Faults;
  /** Traces the requests of an app, and sets their `traceId`. */
  readonly tracing: { watchRequests(app: HostApp): void };
  /** See {@link endStalledResponses}. */
  readonly stallMs?: number;
}

// A booking system's answer may name a guest, and the error's message may quote it.
function problemFor(caller: Caller | null, error: unknown): HttpProblem {
  const problem = problemOf(error);
  if (!isPerson(caller) || caller.seesGuests || !isBookingSystemError(error)) return problem;
  const { status, code, headers } = problem;
  return new HttpProblem(status, code, hiddenMessage, { headers, cause: error });
}

// Otherwise a caller who repeats refused requests at once, on a few connections, would keep the process busy with them.
const refusalDelayMs = 100;

function answerProblems(app: HostApp, faults: Faults): void {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = problemFor(request.caller, error);
    request.problemCode = problem.code;
    // A caller who has left ends its own work; nobody hears the answer.
    const hasLeft = reply.raw.closed && !reply.raw.writableFinished;
    if (problem.status >= 500 && !(error instanceof HttpProblem) && !hasLeft)
      request.log.error({ err: error }, 'request failed');
    if (problem.code === 'internal' && !hasLeft)
      faults.report(
        'requests',
        'A request failed with status 500, by a fault of the service. The log says which.',
      );
    // Fastify closes the connection after a body that was not read to its end, which a caller who is still sending takes
    // for a lost connection: one who is to send again later must hear so.
    if (problem.status === 429) {
      reply.removeHeader('connection');
      await delay(refusalDelayMs);
    }
    return reply.code(problem.status).headers(problem.headers).send(problemBody(problem));
  });
}

/** @throws HttpProblem 415 if the request body is compressed */
export function requireUncompressed({ headers }: FastifyRequest): void {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding === 'identity') return;
  throw new HttpProblem(415, 'unsupported_media_type', 'The body must not be compressed.');
}

function readBodies(app: HostApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      requireUncompressed(request);
      return readJsonBody(body, request.headers['content-type']);
    },
  );
}

// While closing, the client must not send another request on the same connection.
function endConnectionsWhenClosing(app: HostApp): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
}

/** Creates the HTTP server without routes: limits, body parsing, validation, errors, logging. */
export function createApp({ logger, trustProxy, faults, tracing, stallMs }: AppOptions): HostApp {
  const app: HostApp = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(trustProxy),
    bodyLimit: maxBodyBytes,
    // Ids have up to 256 bytes, 768 when percent-encoded; the schemas reject longer ones and name the field.
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: maxRequestMs,
    keepAliveTimeout: 65_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, { id }, { raw }) => {
      const problem = problemOf(error);
      raw.writeHead(problem.status, {
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': id,
      });
      raw.end(JSON.stringify(problemBody(problem)));
    },
  });
  app.setValidatorCompiler(zodValidatorCompiler);
  // Response types follow from the schemas; they are not validated again.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  // Even on public routes: the log reads it.
  app.decorateRequest('caller', null);
  watchConnections(app);
  requireDeclaredAccess(app);
  readForwardedAddresses(app);
  limitAddresses(app);
  // Before the hooks that refuse requests, and the trace before the log line that names it.
  tracing.watchRequests(app);
  logRequests(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    done();
  });
  answerUnusualRequests(app);
  endConnectionsWhenClosing(app);
  endSlowBodies(app);
  endStalledResponses(app, stallMs);
  readBodies(app);
  answerProblems(app, faults);
  answerUnknownAddresses(app);
  return app;
}
