import { randomUUID } from 'node:crypto';
import { isBookingSystemError } from '@waiver-service/core';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import type { Faults } from '../alerts/fault-reporter.ts';
import { type Caller, seesGuests } from '../authentication/caller.ts';
import { requireDeclaredAccess } from '../authentication/route-access.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { limitAddresses } from './address-budget.ts';
import { answerClientError, watchConnections } from './client-errors.ts';
import { hiddenMessage } from './guest-data.ts';
import type { HostApp } from './host-app.ts';
import { HttpProblem } from './http-problem.ts';
import { readJsonBody } from './json-body.ts';
import { problemBody, problemOf } from './problem-answers.ts';
import { logRequests } from './request-log.ts';
import { endSlowBodies, maxRequestMs } from './slow-bodies.ts';
import { endStalledResponses } from './stalled-responses.ts';
import { readForwardedAddresses, type TrustProxy, trustedProxies } from './trusted-proxies.ts';
import { answerUnknownAddresses } from './unknown-addresses.ts';
import { answerUnusualRequests } from './unusual-requests.ts';
import { zodValidatorCompiler } from './validation.ts';

/** The maximum size of a request body in bytes, unless a route sets another. */
export const maxBodyBytes = 256 * 1024;

export interface AppOptions {
  readonly logger: FastifyBaseLogger;
  readonly trustProxy: TrustProxy;
  readonly faults: Faults;
  readonly tracing: Pick<Tracing, 'watchRequests'>;
  /** See {@link endStalledResponses}. */
  readonly stallMs?: number;
}

// A booking system's answer may name a guest, and the error's message may quote it.
function problemFor(caller: Caller | null, error: unknown): HttpProblem {
  const problem = problemOf(error);
  if (caller?.kind !== 'person' || seesGuests(caller) || !isBookingSystemError(error)) return problem;
  const { status, code, headers } = problem;
  return new HttpProblem(status, code, hiddenMessage, { headers, cause: error });
}

function answerProblems(app: HostApp, faults: Faults): void {
  app.setErrorHandler((error, request, reply) => {
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
    if (problem.status === 429) reply.removeHeader('connection');
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
