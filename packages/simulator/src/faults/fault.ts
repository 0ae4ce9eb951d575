/** What a simulated server does instead of answering as it should. */
export type Fault =
  /** Waits, then answers as usual, or goes on with another fault. */
  | { readonly kind: 'latency'; readonly milliseconds: number; readonly followedBy?: Fault }
  /** Answers with a status of its own; the request is not carried out. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The `Retry-After` header: seconds or an HTTP date. */
      readonly retryAfter?: number | string;
      /** A text is sent as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  /**
   * Resets the connection: before any answer (the request is not carried out), after the answer's headers, or
   * after the whole answer was sent (both carried out).
   */
  | { readonly kind: 'reset'; readonly when: 'before-answer' | 'after-headers' | 'after-answer' }
  /** Never answers; the request is not carried out. */
  | { readonly kind: 'hang' }
  /** The usual answer, a few bytes at a time. */
  | { readonly kind: 'slow-body'; readonly bytesPerSecond: number }
  /** The first half of the usual answer, with a `Content-Length` that fits it. */
  | { readonly kind: 'half-json' }
  /** A proxy's page instead of JSON. */
  | { readonly kind: 'html'; readonly status?: number }
  /** A status and nothing else. */
  | { readonly kind: 'empty'; readonly status?: number }
  /** The usual answer, made longer than 5 MiB with white space, so that it stays good JSON. */
  | { readonly kind: 'oversized-body' }
  /** The usual answer's first byte, then white space for as long as the caller reads. */
  | { readonly kind: 'endless-body' }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** Status 200 with `{"success":false}`; the request is not carried out. */
  | { readonly kind: 'refusal'; readonly message?: string };
