import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Tracer } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenAborted } from '../http/aborted-requests.ts';
import type { HostApp } from '../http/host-app.ts';
import { poolOfRequest } from '../http/request-log.ts';
import { isSampled, RequestTrace } from './request-trace.ts';
import { parentOf, type TraceIds } from './trace-ids.ts';

declare module 'fastify' {
  interface FastifyRequest {
    requestTrace: RequestTrace | null;
  }
}

// Probes and scrapes would outnumber everything else.
const untraced: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

function attributesOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url,
    'http.response.status_code': reply.raw.writableFinished ? reply.statusCode : undefined,
    'error.type': reply.raw.writableFinished ? (request.problemCode ?? undefined) : 'aborted',
    'waiver_service.request_id': request.id,
    'waiver_service.caller': request.caller?.kind,
    'waiver_service.pool': poolOfRequest(request),
  };
}

/**
 * Records a span for each request. Only an authenticated caller's trace is continued, and its sampled flag is ignored:
 * otherwise strangers could pollute others' traces, and make the host record everything.
 */
export function traceRequests(
  app: HostApp,
  { tracer, ids, current }: { tracer: Tracer; ids: TraceIds; current: AsyncLocalStorage<RequestTrace> },
): void {
  const begin = (request: FastifyRequest, reply: FastifyReply) =>
    new RequestTrace(tracer, ids, {
      name: `${request.method} ${request.routeOptions.url ?? 'none'}`,
      startedAt: new Date(Date.now() - reply.elapsedTime),
      parent: request.caller ? parentOf(request.headers.traceparent) : undefined,
    });
  app.decorateRequest('requestTrace', null);
  app.addHook('preHandler', (request, reply, done) => {
    if (untraced.has(request.routeOptions.url)) return done();
    request.requestTrace = begin(request, reply);
    current.run(request.requestTrace, done);
  });
  const end = (request: FastifyRequest, reply: FastifyReply) => {
    if (untraced.has(request.routeOptions.url)) return;
    // A refused request did not reach its handler.
    const trace = request.requestTrace ?? begin(request, reply);
    if (isSampled(trace.span)) request.traceId = trace.span.spanContext().traceId;
    trace.end({ attributes: attributesOf(request, reply), failed: reply.statusCode >= 500 });
  };
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply);
    done();
  });
  whenAborted(app, end);
}
