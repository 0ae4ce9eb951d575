import type { BookingSystemAccess } from './booking-system-plugin.ts';
import type { Session } from './session.ts';

/** A request as sent over the wire, for computing or verifying its authentication. */
export interface SignableRequest {
  /** In upper case. */
  readonly method: string;
  /** The whole URL, including the base address’s path and the query, encoded as sent. */
  readonly url: URL;
  /** By lower-case name. `host` and `content-length`, which the connection adds, may be missing. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body; empty if there is none. */
  readonly body: Uint8Array;
  /** The current time: a signature that includes a time must use this one. */
  readonly now: Date;
}

/** A request that is complete except for its authentication, and everything needed to compute that. */
export interface RequestToAuthenticate<Settings = unknown, Account = unknown>
  extends SignableRequest,
    BookingSystemAccess<Settings, Account> {
  /** The installation's session; present if and only if the plugin has `session`. */
  readonly session?: Session | undefined;
}

/** The authentication of one request. All of it is kept out of logs, errors and bookings. */
export interface RequestAuthentication {
  /** Added to the request; they replace headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the query, percent-encoded. */
  readonly query?: Readonly<Record<string, string>>;
}
