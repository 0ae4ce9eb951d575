import { createHash } from 'node:crypto';
import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

export interface StoredChange {
  readonly pool: string;
  readonly waiverId: string;
  readonly version: number;
}

/** The ids of the trace of a change. */
export interface ChangeIds {
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
export type OwnIds = Pick<SpanContext, 'traceId' | 'spanId'>;

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
