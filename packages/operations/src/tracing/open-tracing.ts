import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { HostApp } from '@waiver-service/http';
import { poolOfRequest, whenAborted } from '@waiver-service/http';
import type { AttemptEvent } from '@waiver-service/integration';
import type { Waivers } from '@waiver-service/store';
import type { WaiverRecord } from '@waiver-service/waivers';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf, idsOfChange, isSampled, parentOf, RequestTrace, TraceIds } from './request-trace.ts';
import type { Tracing, TracingSettings } from './tracing.ts';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Logs when spans can no longer be sent, and when they can again, but not every failure. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: FastifyBaseLogger;
  #isFailing = false;

  constructor(exporter: SpanExporter, log: FastifyBaseLogger) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], onResult: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#report(result);
      onResult(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #report({ error }: ExportResult): void {
    const isFailing = error !== undefined;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (isFailing) {
      this.#log.warn(
        { err: error },
        'traces cannot be sent and are dropped; everything else goes on: check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS',
      );
    } else this.#log.info('traces are sent again');
  }
}

// A delivery's id is a UUID version 7, which begins with the time.
function storedAt(deliveryId: string): number | undefined {
  const [, high = '', low = ''] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(deliveryId) ?? [];
  return high === '' ? undefined : Number.parseInt(high + low, 16);
}

/**
 * Records the span of an attempt that has just ended, and, before the first one, the time that its message was queued.
 * @returns the trace's id if it is sampled; undefined also for alerts and invitations, which belong to no waiver
 */
export function traceAttempt(tracer: Tracer, { message, result, decision, retryInMs }: AttemptEvent) {
  if (message.kind === 'alert' || message.kind === 'invitation') return undefined;
  const { traceId, changeSpanId: spanId } = idsOfChange(message);
  const parent = contextOf({ traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true });
  const endedAt = Date.now();
  const startTime = endedAt - result.durationMs;
  const attributes = {
    'waiver_service.pool': message.pool,
    'waiver_service.delivery': message.id,
    'waiver_service.destination': message.destination,
    'waiver_service.kind': message.kind,
    'waiver_service.booking_system': message.bookingSystem ?? undefined,
  };
  const queuedAt = storedAt(message.id);
  if (message.attempts === 0 && message.trigger === 'schedule' && queuedAt !== undefined) {
    tracer
      .startSpan('queued', { startTime: Math.min(queuedAt, startTime), attributes }, parent)
      .end(startTime);
  }
  const span = tracer.startSpan(
    `send ${message.kind}`,
    {
      kind: SpanKind.CLIENT,
      startTime,
      attributes: {
        ...attributes,
        'http.response.status_code': result.status,
        'error.type': result.errorCode,
        'waiver_service.attempt': message.attempts + 1,
        'waiver_service.trigger': message.trigger,
        'waiver_service.outcome': result.outcome,
        'waiver_service.decision': decision,
        'waiver_service.retry_in_ms': retryInMs,
      },
    },
    parent,
  );
  if (result.outcome !== 'accepted' && result.outcome !== 'nothing-written')
    span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endedAt);
  return isSampled(span) ? traceId : undefined;
}

interface StoredBy {
  readonly tracer: Tracer;
  readonly ids: TraceIds;
  /** The request that is being handled. */
  readonly current: AsyncLocalStorage<RequestTrace>;
}

interface Stored {
  readonly action: 'created' | 'updated' | 'voided';
  readonly record: WaiverRecord;
  readonly startedAt: Date;
}

function recordChange({ tracer, ids, current }: StoredBy, { action, record, startedAt }: Stored): void {
  const { pool, id: waiverId, version, bookingSystem } = record;
  const { traceId, requestSpanId, changeSpanId } = idsOfChange({ pool, waiverId, version });
  const request = current.getStore();
  const parent = request?.join({ traceId, spanId: requestSpanId });
  const links =
    request !== undefined && parent === undefined ? [{ context: request.span.spanContext() }] : [];
  const span = ids.startAs({ traceId, spanId: changeSpanId }, () =>
    tracer.startSpan(
      'waiver change',
      {
        kind: SpanKind.PRODUCER,
        startTime: startedAt,
        links,
        attributes: {
          'waiver_service.pool': pool,
          'waiver_service.booking_system': bookingSystem ?? undefined,
          'waiver_service.version': version,
          'waiver_service.change': action,
        },
      },
      parent === undefined ? ROOT_CONTEXT : contextOf(parent.spanContext()),
    ),
  );
  if (parent === undefined) request?.span.addLink({ context: span.spanContext() });
  span.end();
}

/** Waivers whose every stored change begins a trace. */
function traceChanges(waivers: Waivers, by: StoredBy): Waivers {
  return {
    ...waivers,
    async create(...given) {
      const startedAt = new Date();
      const result = await waivers.create(...given);
      if (result.outcome === 'created')
        recordChange(by, { action: 'created', record: result.record, startedAt });
      return result;
    },
    async update(...given) {
      const startedAt = new Date();
      const result = await waivers.update(...given);
      if (result.outcome === 'updated')
        recordChange(by, { action: 'updated', record: result.record, startedAt });
      return result;
    },
    async void(...given) {
      const startedAt = new Date();
      const result = await waivers.void(...given);
      if (result.outcome === 'voided')
        recordChange(by, { action: 'voided', record: result.record, startedAt });
      return result;
    },
  };
}

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
function traceRequests(
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

const batchEveryMs = 500;
// Above this, spans are dropped: a slow collector must not fill the memory.
const maxQueuedSpans = 8_192;
const closeWithinMs = 2_000;

/** Starts tracing. Loads the SDK, so this file is imported only if there is an endpoint. */
export function openTracing(
  { url, headers, serviceName, sampleRatio }: TracingSettings,
  { version, log }: { readonly version: string; readonly log: FastifyBaseLogger },
): Tracing {
  const ids = new TraceIds();
  const provider = new TracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    ),
    // Only by trace id, so that every host decides alike about a change's trace.
    sampler: new TraceIdRatioBasedSampler(sampleRatio),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new ReportingExporter(new OTLPTraceExporter({ url, headers }), log),
        scheduledDelayMillis: batchEveryMs,
        maxQueueSize: maxQueuedSpans,
      }),
    ],
  });
  const tracer = provider.getTracer('waiver-service');
  const current = new AsyncLocalStorage<RequestTrace>();
  return {
    watchRequests: (app) => traceRequests(app, { tracer, ids, current }),
    watchChanges: (waivers) => traceChanges(waivers, { tracer, ids, current }),
    recordAttempt: (event) => traceAttempt(tracer, event),
    async close() {
      // An unresponsive collector must not delay the exit.
      await Promise.race([
        provider.shutdown().catch(() => {}),
        delay(closeWithinMs, undefined, { ref: false }),
      ]);
    },
  };
}
