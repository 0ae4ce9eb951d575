import type { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, type Tracer } from '@opentelemetry/api';
import type { Waivers } from '@waiver-service/store';
import type { WaiverRecord } from '@waiver-service/waivers';
import { contextOf, type RequestTrace } from './request-trace.ts';
import { idsOfChange, type TraceIds } from './trace-ids.ts';

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
export function traceChanges(waivers: Waivers, by: StoredBy): Waivers {
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
