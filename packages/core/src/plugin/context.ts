/**
 * The secrets that a use of a booking system has sent so far: the account's API key, the headers of every request, what
 * `authenticate` added to each, and credentials in a request's own headers. They are redacted wherever a partner
 * repeats them.
 */
export interface SentSecrets {
  /**
   * Replaces secrets of 6 characters or more in a text for people, including one truncated by `…` or by the end of the
   * text.
   */
  redact(text: string): string;
  /** Replaces secrets of 16 characters or more in a partner's data, where a shorter one could be an ordinary word. */
  redactData(text: string): string;
}

/** Options of a request. */
export interface BookingSystemRequest {
  /** The query; undefined parameters are omitted. */
  readonly params?: Readonly<Record<string, string | undefined>>;
  /** Added to the headers that authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of any status: the plugin decides what a status means. */
export interface BookingSystemResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Parsed JSON, or the text if it is not JSON. */
  readonly data: unknown;
}

/**
 * The part of axios's interface that plugins use: these five methods with `params` and `headers`, and a response's
 * `status`, `headers` and `data`. Not supported: axios's transports, redirects, `validateStatus`, and its errors. The
 * host does not use interceptors: authentication, limits, redaction and tracing are below axios, where plugins do not see
 * them. URLs are relative to the booking system's base address. A response of any status resolves; a request without a
 * response rejects with a `BookingSystemError`.
 */
export interface BookingSystemHttp {
  get(url: string, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  delete(url: string, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  post(url: string, body?: unknown, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  put(url: string, body?: unknown, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  patch(url: string, body?: unknown, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
}

/** Everything a plugin gets for one call. It never sees a database, the environment or a logger. */
export interface BookingSystemContext<Settings = unknown, Account = unknown> {
  /** The pool that reads the booking or owns the waiver. */
  readonly pool: string;
  /**
   * Identifies the installation: the same for all of its calls, until its address, settings or account change. Use it
   * as a key for what a plugin caches between calls; do not send it to the vendor.
   */
  readonly installation: string;
  /** The only way to make requests. Authenticates and counts each of them. */
  readonly http: BookingSystemHttp;
  /** The booking system's settings, parsed by the plugin's `settingsSchema`. */
  readonly settings: Settings;
  /** The installation's account, parsed by the plugin's `accountSchema`. */
  readonly account: Account;
  /** Redacts texts that repeat a partner's data. `defineBookingSystem` applies it to bookings, warnings and errors. */
  readonly secrets: SentSecrets;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal;
}

/** The input from which a plugin computes a booking system's address and authentication headers. */
export interface BookingSystemAccess<Settings = unknown, Account = unknown> {
  /** The booking system's settings, parsed by `settingsSchema`. */
  readonly settings: Settings;
  /** The installation's account, parsed by `accountSchema`. */
  readonly account: Account;
  /** The environment of the installation, one of `capabilities.environments`; undefined if none was chosen. */
  readonly environment?: 'live' | 'test' | undefined;
  /** Whether the request reads a booking or writes a waiver. */
  readonly purpose: 'read' | 'guest-update';
}
