import type { BookingSystemAccess } from './booking-system-plugin.ts';
import type { Session } from './session.ts';

/** A request as it goes over the wire, to compute or to verify its authentication. */
export interface SignableRequest {
  /** In upper case. */
  readonly method: string;
  /** The whole URL, the base address’s own path and the query included, encoded as it is sent. */
  readonly url: URL;
  /** By lower-case name. Those that the connection adds, `host` and `content-length`, may be missing. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body; empty if there is none. */
  readonly body: Uint8Array;
  /** The current time. A signature that includes a time must take it from here. */
  readonly now: Date;
}

/** A request that lacks nothing but its authentication, and everything to compute that from. */
export interface RequestToAuthenticate<Settings = unknown, Account = unknown>
  extends SignableRequest,
    BookingSystemAccess<Settings, Account> {
  /** The installation's session; there is one exactly if the plugin has `session`. */
  readonly session?: Session | undefined;
}

/** The authentication of one request. Everything in it is kept out of logs, errors and bookings. */
export interface RequestAuthentication {
  /** Added to the request; they replace headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the query, percent-encoded. */
  readonly query?: Readonly<Record<string, string>>;
}
