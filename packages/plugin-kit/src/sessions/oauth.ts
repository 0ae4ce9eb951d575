import {
  AuthenticationRejected,
  type BookingSystemResponse,
  type BookingSystemSession,
  BookingSystemUnavailable,
  type InstalledAccount,
  type Session,
  type SessionAccess,
  type SessionContext,
} from '@waiver-service/core';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clientCredentialsGrantRequest,
  customFetch,
  generateRandomCodeVerifier,
  genericTokenEndpointRequest,
  refreshTokenGrantRequest,
  type TokenEndpointRequestOptions,
} from 'oauth4webapi';
import { detailsOf, failureOf, isSuccess, quoteVendorMessage } from '../answers.ts';
import { isJsonObject } from '../reading/json.ts';

// RFC 6749: 400 for an invalid grant, 401 for an unknown client. Some vendors use 403.
const refusals = new Set([400, 401, 403]);
const passingErrors = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

// RFC 6749, appendix A.12: what the header of each later call can carry.
const sendableToken = /^[\x20-\x7e]+$/;

const maxLifetimeSeconds = 10 * 365 * 86_400;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function lifetimeSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number.parseFloat(value) : value;
  if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
  return Math.min(seconds, maxLifetimeSeconds);
}

/** Throws the error for an unsuccessful response. */
function raiseForRefusal(response: BookingSystemResponse, bookingSystem: string, remedy: string): void {
  const { status, data } = response;
  if (isSuccess(status)) return;
  const { error, error_description: description } = isJsonObject(data) ? data : {};
  const vendorMessage = [textIn(error), textIn(description)].filter((part) => part !== undefined).join(': ');
  if (!refusals.has(status) || passingErrors.has(textIn(error) ?? ''))
    throw failureOf({ response, bookingSystem, vendorMessage });
  throw new AuthenticationRejected(
    `${bookingSystem} gives no token to this installation (status ${status})${quoteVendorMessage(vendorMessage)}: ${remedy}`,
    detailsOf({ response, bookingSystem }),
  );
}

/**
 * Reads a token endpoint's response (RFC 6749, section 5). Vendors' errors differ from the RFC, so the status decides:
 * 400, 401 and 403 refuse the credentials, unless the body says that the error is temporary.
 *
 * @param former - the renewed session: its data is kept, and its refresh token unless the response has a new one
 * @throws AuthenticationRejected if the credentials are refused
 * @throws BookingSystemError if the response has no token for any other reason
 */
export function sessionOfTokenAnswer(
  response: BookingSystemResponse,
  { bookingSystem, now, remedy }: Pick<SessionContext, 'bookingSystem' | 'now' | 'remedy'>,
  former?: Session,
): Session {
  raiseForRefusal(response, bookingSystem, remedy);
  const body = isJsonObject(response.data) ? response.data : {};
  const accessToken = textIn(body.access_token);
  if (accessToken === undefined) {
    throw new BookingSystemUnavailable(
      `${bookingSystem} answered a request for a token with status ${response.status}, but without an access_token: check its base address`,
      detailsOf({ response, bookingSystem }),
    );
  }
  if (!sendableToken.test(accessToken)) {
    throw new BookingSystemUnavailable(
      `${bookingSystem} answered a request for a token with an access_token that no header can carry: it has a line break or another character than printable ASCII. Ask ${bookingSystem} for a valid one`,
      detailsOf({ response, bookingSystem }),
    );
  }
  const seconds = lifetimeSeconds(body.expires_in);
  return {
    accessToken,
    expiresAt: seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1_000),
    refreshToken: textIn(body.refresh_token) ?? former?.refreshToken,
    data: former?.data,
  };
}

/** The credentials of the client that requests tokens. */
interface OAuthClient {
  readonly id: string;
  readonly secret: string;
}

/**
 * How the client authenticates: by HTTP Basic, with id and secret escaped as in a form (RFC 6749, appendix B), or in the
 * body, for servers that do not decode them.
 */
type ClientAuthentication = 'basic' | 'post';

const formEscaped = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);

// The library's own also escapes `-`, `_`, `.` and `*`, which a form leaves: servers that do not decode refuse that.
const basicAuthentication =
  (secret: string): ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const credentials = `${formEscaped(id)}:${formEscaped(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };

/** The input for one of oauth4webapi's requests. */
interface TokenRequestParts {
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly authentication: ClientAuth;
  readonly options: TokenEndpointRequestOptions;
}

/** A vendor's token endpoint, and how it is called. */
interface TokenEndpoint<S, A> {
  /** Relative to the base address, or absolute. */
  readonly tokenUrl: string;
  client(access: SessionAccess<S, A>): OAuthClient;
  /** Default: `basic`. */
  readonly clientAuthentication?: ClientAuthentication;
}

/** The origin of an absolute address; none for a relative one. */
function originsElsewhere(address: string): readonly string[] {
  const url = URL.parse(address);
  return url === null ? [] : [url.origin];
}

/** Resolves an absolute address, or one relative to the base address. */
const addressOf = (address: string, baseUrl: string): URL =>
  URL.parse(address) ?? new URL(`${baseUrl.replace(/\/+$/, '')}/${address.replace(/^\/+/, '')}`);

/**
 * Makes a request to a token endpoint with oauth4webapi, through the guarded client, which also decides whether plain
 * http is allowed. The library's response parser is not used: it accepts only strict RFC 6749, and its errors carry the
 * response's tokens in their causes.
 */
async function requestToken<S, A>(
  endpoint: TokenEndpoint<S, A>,
  { http, baseUrl, settings, account }: SessionContext<S, A>,
  request: (parts: TokenRequestParts) => Promise<Response>,
): Promise<BookingSystemResponse> {
  const tokenUrl = addressOf(endpoint.tokenUrl, baseUrl);
  const client = endpoint.client({ settings, account });
  const answered = Promise.withResolvers<BookingSystemResponse>();
  const authentication = endpoint.clientAuthentication === 'post' ? ClientSecretPost : basicAuthentication;
  await request({
    server: { issuer: tokenUrl.origin, token_endpoint: tokenUrl.href },
    client: { client_id: client.id },
    authentication: authentication(client.secret),
    options: {
      [allowInsecureRequests]: true,
      async [customFetch](url, { headers, body }) {
        const answer = await http.post(url, String(body), { headers });
        answered.resolve(answer);
        return new Response(null, { status: answer.status });
      },
    },
  });
  return answered.promise;
}

/** How a vendor issues tokens by OAuth 2.0's client credentials (RFC 6749, section 4.4). */
export interface ClientCredentials<S, A> extends TokenEndpoint<S, A> {
  /** Further parameters of the request, such as `scope` or `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The session of a vendor that issues tokens by OAuth 2.0's client credentials. */
export function clientCredentials<S, A>(vendor: ClientCredentials<S, A>): BookingSystemSession<S, A> {
  return {
    grant: 'client-credentials',
    allowedOrigins: () => originsElsewhere(vendor.tokenUrl),
    async renew(context) {
      const parameters = { ...vendor.parameters };
      const response = await requestToken(vendor, context, ({ server, client, authentication, options }) =>
        clientCredentialsGrantRequest(server, client, authentication, parameters, options),
      );
      return sessionOfTokenAnswer(response, context);
    },
  };
}

/** A new PKCE verifier (RFC 7636): a secret for one visit to an authorization page. */
export const createCodeVerifier = (): string => generateRandomCodeVerifier();

/** A verifier's challenge, by method `S256`. */
export const codeChallengeOf = (codeVerifier: string): Promise<string> =>
  calculatePKCECodeChallenge(codeVerifier);

/** How a vendor issues tokens by OAuth 2.0's authorization code (RFC 6749, section 4.1), with PKCE (RFC 7636). */
export interface AuthorizationCode<S, A> extends TokenEndpoint<S, A> {
  /** The page for the operator's browser: relative to the base address, or absolute. */
  readonly authorizationUrl: string;
  /** Further parameters of the page, such as `scope`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Reads the id of the account that was authorized from the token response, if the vendor includes it. An id other
   * than the installed account's is refused.
   */
  readonly accountOf?: (answer: unknown) => string | undefined;
}

/**
 * The session of a vendor whose accounts are authorized in a browser. Each refresh token is used once; the response may
 * contain the next one.
 */
export function authorizationCode<S, A extends InstalledAccount>(
  vendor: AuthorizationCode<S, A>,
): BookingSystemSession<S, A> {
  return {
    grant: 'authorization-code',
    allowedOrigins: () => originsElsewhere(vendor.tokenUrl),
    authorizationUrl({ baseUrl, state, redirectUri, codeChallenge, settings, account }) {
      const url = addressOf(vendor.authorizationUrl, baseUrl);
      const query = {
        ...vendor.parameters,
        response_type: 'code',
        client_id: vendor.client({ settings, account }).id,
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url;
    },
    async exchangeCode(context, { code, codeVerifier, redirectUri }) {
      const grant = { code, redirect_uri: redirectUri, code_verifier: codeVerifier };
      const response = await requestToken(vendor, context, ({ server, client, authentication, options }) =>
        genericTokenEndpointRequest(server, client, authentication, 'authorization_code', grant, options),
      );
      const session = sessionOfTokenAnswer(response, context);
      const installed = String(context.account.accountId);
      const agreed = vendor.accountOf?.(response.data);
      if (agreed !== undefined && agreed !== installed) {
        throw new AuthenticationRejected(
          `${context.bookingSystem} was authorized for the account ${JSON.stringify(agreed)}, but ${JSON.stringify(installed)} is installed: log in with that one, or install the other one`,
        );
      }
      return session;
    },
    async renew(context, former) {
      const { bookingSystem, remedy } = context;
      const refreshToken = former?.refreshToken;
      if (refreshToken === undefined) {
        throw new AuthenticationRejected(
          `the authorization by ${bookingSystem} has ended, and it gave nothing to renew it with: ${remedy}`,
        );
      }
      const response = await requestToken(vendor, context, ({ server, client, authentication, options }) =>
        refreshTokenGrantRequest(server, client, authentication, refreshToken, options),
      );
      return sessionOfTokenAnswer(response, context, former);
    },
  };
}
