/** A header as it is shown: the value of one that may carry a secret is redacted. */
export interface ShownHeader {
  readonly name: string;
  readonly value: string;
}

/** Bytes that were sent or received, as text without secrets. */
export interface ShownBody {
  /** The beginning, where it is long. */
  readonly text: string;
  /** The size of the whole; of an answer that was cut off, of what arrived. */
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** Opening a connection. `failure`: why it could not be opened. */
export type ConnectionStep =
  | {
      readonly kind: 'dns';
      readonly host: string;
      readonly addresses?: readonly string[];
      readonly failure?: string;
    }
  | { readonly kind: 'connect'; readonly address: string; readonly port: number; readonly failure?: string }
  | {
      readonly kind: 'tls';
      readonly host: string;
      readonly protocol?: string | undefined;
      readonly issuer?: string | undefined;
      readonly certificateUntil?: string | undefined;
      readonly failure?: string;
    };

/** A request and its answer. */
interface RequestStep {
  readonly kind: 'request';
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  readonly headers: readonly ShownHeader[];
  readonly body?: ShownBody;
  /** Milliseconds from the start of the trace to the first byte of the answer. */
  readonly answeredAfterMs?: number;
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
  };
  readonly failure?: string;
}

/** Reading the body of an answer as JSON. */
interface ParseStep {
  readonly kind: 'parse';
  readonly failure?: string;
}

/** Waiting before a request: for a session to authenticate it with, or for its turn within the vendor's rate limits. */
export interface WaitStep {
  readonly kind: 'session' | 'turn';
  readonly failure?: string;
}

/** One step of a traced use. Times are in milliseconds; `startedMs` counts from the start of the trace. */
export type TraceStep = (ConnectionStep | RequestStep | ParseStep | WaitStep) & {
  readonly startedMs: number;
  readonly durationMs: number;
};
