import type { BookingSystemAccess } from './booking-system-plugin.ts';
import type { BookingSystemContext } from './context.ts';

/** Tokens that a booking system issued for one installation. The host keeps them: encrypted, shared by all its processes. */
export interface Session {
  /** Authenticates requests until it ends or is refused. */
  readonly accessToken: string;
  /** When the access token ends; undefined where the booking system does not say. */
  readonly expiresAt?: Date | undefined;
  /** Given to `renew` with the session that it belongs to. */
  readonly refreshToken?: string | undefined;
  /** Further values that came with it and that requests need, such as the id of the account's company. */
  readonly data?: Readonly<Record<string, string>> | undefined;
}

/** A session's settings and account. */
export type SessionAccess<Settings = unknown, Account = unknown> = Omit<
  BookingSystemAccess<Settings, Account>,
  'purpose'
>;

/**
 * Everything that opening or renewing a session gets. Requests of its `http` carry nothing but what they are given. They
 * may name an absolute URL at the base address's own origin or at one of `allowedOrigins`. All that they send and bring
 * back is kept out of logs and errors.
 */
export interface SessionContext<Settings = unknown, Account = unknown>
  extends BookingSystemContext<Settings, Account> {
  /** The booking system's display name, for messages. */
  readonly bookingSystem: string;
  /** The address that relative URLs are below. */
  readonly baseUrl: string;
  /** The current time: compute `expiresAt` from it. */
  readonly now: Date;
  /** The remedy for an operator where the booking system refuses: the end of a message. */
  readonly remedy: string;
}

/** A visit of an operator's browser to the booking system's authorization page, about to begin. */
export interface AuthorizationRequest<Settings = unknown, Account = unknown>
  extends SessionAccess<Settings, Account> {
  /** The address that relative URLs are below. */
  readonly baseUrl: string;
  /** Comes back with the browser. */
  readonly state: string;
  /** Where the browser is sent back to. */
  readonly redirectUri: string;
  /** The PKCE challenge (RFC 7636), of method `S256`. */
  readonly codeChallenge: string;
}

/** The parameters that came back with the browser. The host has checked that it belongs to a visit that it began. */
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
  /** How the first session comes about: by the account's own credentials, or by a visit to an authorization page. */
  readonly grant: 'client-credentials' | 'authorization-code';
  /** Origins that tokens may be requested at besides the base address's own, such as `https://login.example.com`. */
  allowedOrigins?(access: SessionAccess<Settings, Account>): readonly string[];
  /**
   * Opens a session, or a new one after `former`, which has ended, is about to, or was refused. With an authorization code
   * there always is a former one.
   * Rejects with `AuthenticationRejected` only where the booking system refuses the credentials themselves; what may pass by
   * waiting is another `BookingSystemError`.
   */
  renew(context: SessionContext<Settings, Account>, former: Session | undefined): Promise<Session>;
  /** With an authorization code: the page that an operator's browser is sent to. */
  authorizationUrl?(request: AuthorizationRequest<Settings, Account>): URL;
  /** With an authorization code: opens a session from the browser's redirect. Rejects as `renew` does. */
  exchangeCode?(
    context: SessionContext<Settings, Account>,
    callback: AuthorizationCallback,
  ): Promise<Session>;
}
