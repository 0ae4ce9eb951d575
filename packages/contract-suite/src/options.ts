import type {
  AnswerMeaning,
  AuthorizationCallback,
  InstalledAccount,
  RequestAuthentication,
  SignableRequest,
} from '@waiver-service/core';
import type { NativeAnswer, NativeScenarios } from './native/native-scenarios.ts';

/** An answer of the vendor, and what it means. */
export interface JudgedAnswer {
  readonly name: string;
  readonly answer: NativeAnswer;
  readonly meaning: AnswerMeaning['meaning'];
  /** If throttled: the milliseconds to wait. */
  readonly retryAfterMs?: number;
}

/** An account as the booking system knows it. */
export interface KnownAccess {
  readonly account: InstalledAccount & Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The access token that the booking system issued last, if it issues any. */
  readonly accessToken?: string | undefined;
  /** The refresh token that came with it. */
  readonly refreshToken?: string | undefined;
  /** The parameters that an operator’s browser brought back, for a plugin whose sessions begin with an authorization code. */
  readonly visit?: AuthorizationCallback | undefined;
}

/**
 * Whether the booking system would accept a request. Compute it from the vendor’s documentation and not with the
 * plugin’s code, so that a mistake of the one is not repeated in the other.
 */
export type IsAuthentic = (request: SignableRequest, access: KnownAccess) => boolean;

/** How a booking system issues tokens. */
export interface TokenScenario {
  /** The address of a token request: relative to the base address, or absolute. */
  readonly tokenUrl: string;
  /** Whether a token request has the account's credentials; as for {@link IsAuthentic}. */
  readonly isAuthentic: IsAuthentic;
  /** The answer that issues a token for so many seconds. Leave out the refresh token if there is none. */
  issue(accessToken: string, lifetimeSeconds: number, refreshToken: string): NativeAnswer;
  /** The answer to credentials that are not accepted. */
  readonly refused: NativeAnswer;
}

/** How the vendor authenticates its calls. Compute it from the vendor’s documentation and not with the plugin’s code. */
export interface VendorSignature {
  /** Returns what authenticates the request: headers, and parameters of the query. */
  sign(request: SignableRequest, access: KnownAccess): RequestAuthentication;
  /** How far from now the time in a signature may be; required if it has one. */
  readonly toleranceMs?: number;
}

/** Options for a vendor with its own API; a plugin that follows the contract needs none. */
export interface ContractSuiteOptions {
  /** The booking system's settings, parsed by the plugin's `settingsSchema`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Account fields in addition to `accountId` and `apiKey`. A text here or in `settings` that begins with `planted-` is a
   * secret that no error may show.
   */
  readonly account?: Readonly<Record<string, unknown>>;
  /** Required if the plugin has `authenticate`, or reads the form `native`. */
  readonly isAuthentic?: IsAuthentic;
  /** Required if the plugin has a `session`. */
  readonly tokens?: TokenScenario;
  /** Required if the plugin reads the form `native`. */
  readonly native?: NativeScenarios;
  /** Required if the plugin has an `inboundAuthenticity`. */
  readonly inboundSignature?: VendorSignature;
  /** Required if the plugin has a `judgeAnswer`. */
  readonly judged?: readonly [JudgedAnswer, ...JudgedAnswer[]];
}
