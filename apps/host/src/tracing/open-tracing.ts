import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';
import { hostVersion } from '../host-package.ts';
import type { TracingSettings } from '../settings/host-settings.ts';
import { ReportingExporter } from './reporting-exporter.ts';
import type { RequestTrace } from './request-trace.ts';
import { traceAttempt } from './trace-attempts.ts';
import { traceChanges } from './trace-changes.ts';
import { TraceIds } from './trace-ids.ts';
import { traceRequests } from './trace-requests.ts';
import type { Tracing } from './tracing.ts';

const batchEveryMs = 500;
// Above this, spans are dropped: a slow collector must not fill the memory.
const maxQueuedSpans = 8_192;
const closeWithinMs = 2_000;

/** Starts tracing. Loads the SDK, so this file is imported only if there is an endpoint. */
export function openTracing(settings: TracingSettings, log: FastifyBaseLogger): Tracing {
  const { url, headers, serviceName, sampleRatio } = settings;
  const ids = new TraceIds();
  const provider = new TracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.version': hostVersion() }),
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
