import { createHash } from 'node:crypto';
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
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

interface StoredChange {
  readonly pool: string;
  readonly waiverId: string;
  readonly version: number;
}

/** The ids of the trace of a change. */
interface ChangeIds {
  readonly traceId: string;
  /** The span of the request that made it, unless that one continues a trace of its caller. */
  readonly requestSpanId: string;
  /** The span of the change itself, parent of all attempts. */
  readonly changeSpanId: string;
}

/**
 * The ids of the trace of a change follow from the change, so that no message has to carry them: every host finds the
 * same ones, after any number of retries and restarts.
 */
export function idsOfChange({ pool, waiverId, version }: StoredChange): ChangeIds {
  const hash = createHash('sha256')
    .update(JSON.stringify([pool, waiverId, version]))
    .digest('hex');
  return {
    traceId: hash.slice(0, 32),
    requestSpanId: hash.slice(32, 48),
    changeSpanId: hash.slice(48, 64),
  };
}

/** The ids of a span that is about to start. */
type OwnIds = Pick<SpanContext, 'traceId' | 'spanId'>;

/** Generates random ids, except for spans whose ids are known. */
export class TraceIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #own: OwnIds | undefined;

  /** Starts a span under these ids; under its parent's trace id if it has a parent. */
  startAs<T>(ids: OwnIds, start: () => T): T {
    this.#own = ids;
    try {
      return start();
    } finally {
      this.#own = undefined;
    }
  }

  generateTraceId = (): string => this.#own?.traceId ?? this.#random.generateTraceId();

  generateSpanId = (): string => this.#own?.spanId ?? this.#random.generateSpanId();
}

const traceparent =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-[0-9a-f]{2}(?<rest>-.*)?$/;

/** The span that a `traceparent` header names; undefined if it is not a valid one. Its sampled flag is not read. */
export function parentOf(header: unknown): SpanContext | undefined {
  if (typeof header !== 'string' || header.length > 128) return undefined;
  const { version, traceId, spanId, rest } = traceparent.exec(header)?.groups ?? {};
  if (version === undefined || traceId === undefined || spanId === undefined) return undefined;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true };
}

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
