import type { BookingSystemAccess, BookingSystemContext } from './context.ts';

/** Tokens that a booking system issued for one installation. The host stores them encrypted, for all its processes. */
export interface Session {
  /** Authenticates requests until it expires or is refused. */
  readonly accessToken: string;
  /** When the access token expires; undefined if the booking system does not say. */
  readonly expiresAt?: Date | undefined;
  /** Passed to `renew` with its session. */
  readonly refreshToken?: string | undefined;
  /** Further values that came with the token and that requests need, such as the id of the account's company. */
  readonly data?: Readonly<Record<string, string>> | undefined;
}

/** A session's settings and account. */
export type SessionAccess<Settings = unknown, Account = unknown> = Omit<
  BookingSystemAccess<Settings, Account>,
  'purpose'
>;

/**
 * Everything needed to open or renew a session. Requests through its `http` carry only what they are given. They may
 * use absolute URLs at the origin of the base address or one of `allowedOrigins`. Everything sent and received is kept
 * out of logs and errors.
 */
export interface SessionContext<Settings = unknown, Account = unknown>
  extends BookingSystemContext<Settings, Account> {
  /** The booking system's display name, for messages. */
  readonly bookingSystem: string;
  /** The base of relative URLs. */
  readonly baseUrl: string;
  /** The current time, from which to compute `expiresAt`. */
  readonly now: Date;
  /** The remedy if the booking system refuses, for operators: the end of an error message. */
  readonly remedy: string;
}

/** An upcoming visit of an operator's browser to the booking system's authorization page. */
export interface AuthorizationRequest<Settings = unknown, Account = unknown>
  extends SessionAccess<Settings, Account> {
  /** The base of relative URLs. */
  readonly baseUrl: string;
  /** Returned by the browser's redirect. */
  readonly state: string;
  /** Where the browser is sent back to. */
  readonly redirectUri: string;
  /** The PKCE challenge (RFC 7636), of method `S256`. */
  readonly codeChallenge: string;
}

/** The parameters of the browser's redirect. The host has checked that it belongs to a visit that it began. */
export interface AuthorizationCallback {
  /** Issued by the booking system for the visit. */
  readonly code: string;
  /** The PKCE verifier of the visit's challenge. */
  readonly codeVerifier: string;
  /** The same as in the request. */
  readonly redirectUri: string;
  /** The whole address that the browser was sent to. */
  readonly callbackUrl: URL;
}

/** How a booking system issues the tokens that its requests are authenticated with. */
export interface BookingSystemSession<Settings = unknown, Account = unknown> {
  /** How the first session is obtained: with the account's credentials, or through an authorization page. */
  readonly grant: 'client-credentials' | 'authorization-code';
  /**
   * Origins, in addition to the base address's, that tokens may be requested from, such as `https://login.example.com`.
   */
  allowedOrigins?(access: SessionAccess<Settings, Account>): readonly string[];
  /**
   * Opens a session, or replaces `former`, which has expired, is about to, or was refused. With an authorization code
   * there is always a former one. Rejects with `AuthenticationRejected` only if the booking system refuses the
   * credentials themselves, and with another `BookingSystemError` for anything that may be temporary.
   */
  renew(context: SessionContext<Settings, Account>, former: Session | undefined): Promise<Session>;
  /** With an authorization code: the page to which an operator's browser is sent. */
  authorizationUrl?(request: AuthorizationRequest<Settings, Account>): URL;
  /** With an authorization code: opens a session from the browser's redirect. Rejects as `renew` does. */
  exchangeCode?(
    context: SessionContext<Settings, Account>,
    callback: AuthorizationCallback,
  ): Promise<Session>;
}

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
