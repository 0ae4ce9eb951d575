/** A header; its value is redacted if it may carry a secret. */
export interface ShownHeader {
  readonly name: string;
  readonly value: string;
}

/** A body that was sent or received, as text without secrets. */
export interface ShownBody {
  /** Only the start, if the body is long. */
  readonly text: string;
  /** The total size; if a response was cut off, the size of the part that arrived. */
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

/** A request and its response. */
interface RequestStep {
  readonly kind: 'request';
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  readonly headers: readonly ShownHeader[];
  readonly body?: ShownBody;
  /** Milliseconds from the start of the trace to the first byte of the response. */
  readonly answeredAfterMs?: number;
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
  };
  readonly failure?: string;
}

/** Parsing a response body as JSON. */
interface ParseStep {
  readonly kind: 'parse';
  readonly failure?: string;
}

/** Waiting before a request: for its session, or for its turn within the vendor's rate limits. */
export interface WaitStep {
  readonly kind: 'session' | 'turn';
  readonly failure?: string;
}

/** One step of a traced use. Times are in milliseconds; `startedMs` counts from the start of the trace. */
export type TraceStep = (ConnectionStep | RequestStep | ParseStep | WaitStep) & {
  readonly startedMs: number;
  readonly durationMs: number;
};
