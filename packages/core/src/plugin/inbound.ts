import type { AccountId } from '../identifiers.ts';

/**
 * A request that a booking system sent to its webhook URL, before its body is parsed: the input for verifying a
 * signature.
 */
export interface InboundRequest<Settings = unknown, Account = unknown> {
  /** In upper case. */
  readonly method: string;
  /** As the vendor called it: `BASE_URL`, path and query. */
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parameters of the query. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The exact bytes of the body; empty if there is none. */
  readonly rawBody: Uint8Array;
  /** The current time, for a signature that includes one. */
  readonly now: Date;
  /** The booking system's settings, parsed by `settingsSchema`. */
  readonly settings: Settings;
  /** Undefined if one address serves all accounts and the caller's account is not known yet. */
  readonly account: Account | undefined;
}

/** An inbound request with its parsed body. */
export interface InboundCall<Settings = unknown, Account = unknown>
  extends InboundRequest<Settings, Account> {
  /** Parsed JSON; XML as text; a form as an object of its fields, with an array for a repeated field. */
  readonly body: unknown;
}

/**
 * Whether an inbound request is from the vendor: `authentic`; `forged`: unsigned, or signed by others; `stale`: signed,
 * but its time is too far from now, as in a replay.
 */
export type InboundAuthenticity = 'authentic' | 'forged' | 'stale';

/** A response that the vendor expects in place of the contract's. */
export interface InboundAnswer {
  /** 200 to 299; 200 by default. */
  readonly status?: number | undefined;
  /** Any except connection headers and cookies. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text is sent as it is, anything else as JSON. Empty by default. */
  readonly body?: unknown;
}

/** The result of `parseInbound`. */
export interface InboundNotice {
  /** The bookings that were created or changed; empty if the call is about something else. */
  readonly bookingIds: readonly string[];
  /** Whether the vendor says that earlier calls were lost: whatever may have changed is read again. */
  readonly missedCalls?: boolean | undefined;
  /** Identifies the message: a repeated one is answered but otherwise ignored. */
  readonly messageId?: string | undefined;
  /** The response, if the vendor expects a particular one, for example to a handshake. */
  readonly answer?: InboundAnswer | undefined;
}

/** The functions of a plugin for inbound calls in the vendor's own form. */
export interface InboundFunctions<Settings = unknown, Account = unknown> {
  /**
   * Whether a request is from the vendor. Called before the body is parsed. Compare secrets in constant time.
   * Omit if the app pool key in the URL is all that authenticates the vendor's calls.
   */
  inboundAuthenticity?(
    request: InboundRequest<Settings, Account>,
  ): InboundAuthenticity | Promise<InboundAuthenticity>;
  /** The account that an authentic call is about. Omit unless `capabilities.inboundAddress` is `shared`. */
  inboundAccount?(call: InboundCall<Settings, Account>): AccountId | undefined;
  /** Parses a vendor-specific inbound call. Omit unless `capabilities.inbound` is `native`. */
  parseInbound?(call: InboundCall<Settings, Account>): InboundNotice;
}
