import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { OwnIds, TraceIds } from './trace-ids.ts';

/** The context of a span, of this process or another one. */
export const contextOf = (parent: SpanContext): Context => trace.setSpanContext(ROOT_CONTEXT, parent);

/** Whether a span is sent to the operator's collector. */
export const isSampled = (span: Span): boolean => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;

export interface TracedRequest {
  readonly name: string;
  readonly startedAt: Date;
  /** The caller's span, if the request continues it. */
  readonly parent: SpanContext | undefined;
}

export interface RequestEnd {
  readonly attributes: Attributes;
  readonly failed: boolean;
}

/**
 * The span of a request. It is started late, because it belongs to the trace of the change that the request makes,
 * whose id is only known once the change is stored. A request that continues its caller's trace stays in that trace,
 * and is linked instead.
 */
export class RequestTrace {
  readonly #tracer: Tracer;
  readonly #ids: TraceIds;
  readonly #request: TracedRequest;
  #span: Span | undefined;

  constructor(tracer: Tracer, ids: TraceIds, request: TracedRequest) {
    this.#tracer = tracer;
    this.#ids = ids;
    this.#request = request;
  }

  /**
   * Joins the trace of a change.
   * @returns the request's span if it is in that trace; otherwise undefined
   */
  join(own: OwnIds): Span | undefined {
    if (this.#request.parent !== undefined || this.#span !== undefined) return undefined;
    this.#span = this.#ids.startAs(own, () => this.#start());
    return this.#span;
  }

  /** The request's span, started now if it was not before. */
  get span(): Span {
    this.#span ??= this.#start();
    return this.#span;
  }

  end({ attributes, failed }: RequestEnd): void {
    this.span.setAttributes(attributes);
    if (failed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }

  #start(): Span {
    const { name, startedAt: startTime, parent } = this.#request;
    const context = parent === undefined ? ROOT_CONTEXT : contextOf(parent);
    return this.#tracer.startSpan(name, { kind: SpanKind.SERVER, startTime }, context);
  }
}
