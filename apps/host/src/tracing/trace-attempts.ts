import { SpanKind, SpanStatusCode, TraceFlags, type Tracer } from '@opentelemetry/api';
import { contextOf, isSampled } from './request-trace.ts';
import { idsOfChange } from './trace-ids.ts';
import type { AttemptEvent } from './tracing.ts';

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
