import type {
  AnswerMeaning,
  BookingSystemPlugin,
  InboundCall,
  InboundNotice,
  InstalledAccount,
  RequestAuthentication,
  SignableRequest,
} from '@waiver-service/core';
import type { KnownAccess, NativeAnswer, NativeCall, NativeScenarios } from './native/native-scenarios.ts';

const webhookUrl = 'https://waivers.example/integration/webhook';

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body ?? ''));

const bytesOf = (body: unknown) => new TextEncoder().encode(body === undefined ? '' : textOf(body));

function urlOf(installName: string, query: NativeCall['query'] = {}): URL {
  const url = new URL(`${webhookUrl}/${installName}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}

/** Headers by lower-case name. */
export const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A vendor's call, ready to be signed. */
export const signableCall = (
  { installName }: BookingSystemPlugin,
  { headers = {}, query, body }: NativeCall,
): Omit<SignableRequest, 'now'> => ({
  method: 'POST',
  url: urlOf(installName, query),
  headers: lowerCased(headers),
  body: bytesOf(body),
});

/** A call as the host passes it to a plugin, without account and settings. */
export const inboundCall = (
  plugin: BookingSystemPlugin,
  { headers = {}, query = {}, body }: NativeCall,
): InboundCall<unknown, InstalledAccount> => ({
  method: 'POST',
  url: urlOf(plugin.installName, query),
  headers: lowerCased(headers),
  query,
  rawBody: bytesOf(body),
  body,
  now: new Date(),
  settings: {},
  account: undefined,
});

/** Parses a vendor's call with a plugin, for tests of its `parseInbound`. */
export function noticeOf(plugin: BookingSystemPlugin, call: NativeCall): InboundNotice | undefined {
  return plugin.parseInbound?.(inboundCall(plugin, call));
}

/** A vendor's response, and its meaning. */
export interface JudgedAnswer {
  readonly name: string;
  readonly answer: NativeAnswer;
  readonly meaning: AnswerMeaning['meaning'];
  /** If throttled: the milliseconds to wait. */
  readonly retryAfterMs?: number;
}

/**
 * Whether the booking system would accept a request. Compute it from the vendor’s documentation, not with the plugin’s
 * code, so that a mistake is not repeated.
 */
export type IsAuthentic = (request: SignableRequest, access: KnownAccess) => boolean;

/** How a booking system issues tokens. */
export interface TokenScenario {
  /** The address of a token request: relative to the base address, or absolute. */
  readonly tokenUrl: string;
  /** Whether a token request has the account's credentials; as for {@link IsAuthentic}. */
  readonly isAuthentic: IsAuthentic;
  /** The response that issues tokens. Omit the refresh token if the vendor issues none. */
  issue(accessToken: string, lifetimeSeconds: number, refreshToken: string): NativeAnswer;
  /** The response to refused credentials. */
  readonly refused: NativeAnswer;
}

/** How the vendor authenticates its calls. Compute it from the vendor’s documentation, not with the plugin’s code. */
export interface VendorSignature {
  /** Returns the request's authentication: headers and query parameters. */
  sign(request: SignableRequest, access: KnownAccess): RequestAuthentication;
  /** How far from now the time in a signature may be; required if signatures include a time. */
  readonly toleranceMs?: number;
}

/** Options for a vendor with its own API; a plugin that follows the contract needs none. */
export interface ContractSuiteOptions {
  /** The booking system's settings, parsed by the plugin's `settingsSchema`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Account fields in addition to `accountId` and `apiKey`. Here and in `settings`, a text that begins with `planted-`
   * is a secret that no error may show.
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
