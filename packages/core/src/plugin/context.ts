/** A request that a plugin makes. Paths are relative to the booking system's base address. */
export interface BookingSystemRequest {
  readonly params?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of any status: the plugin decides what a status means. */
export interface BookingSystemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The JSON value, or the text where it was not JSON. */
  readonly data: unknown;
}

/**
 * The part of an axios instance that plugins use; at run time it is one. Authentication, time limit, size limit,
 * redaction and the address guard are in it. An answer of any status resolves; what brought no answer rejects with
 * one of core's errors.
 */
export interface BookingSystemHttp {
  get(url: string, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  delete(url: string, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  post(url: string, body?: unknown, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  put(url: string, body?: unknown, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
  patch(url: string, body?: unknown, request?: BookingSystemRequest): Promise<BookingSystemResponse>;
}

/** All that a plugin is given for one call. It never sees a database, the environment or a logger. */
export interface BookingSystemContext<Settings = unknown, Account = unknown> {
  /** The pool that asks, or whose waiver it is. */
  readonly pool: string;
  readonly http: BookingSystemHttp;
  /** The booking system's settings, as the plugin's `settingsSchema` read them. */
  readonly settings: Settings;
  /** What the installation brought, as the plugin's `accountSchema` read it. */
  readonly account: Account;
  /** Aborts when the call is given up. */
  readonly signal: AbortSignal;
}
