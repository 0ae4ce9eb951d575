import type { BookingSystemResponse, SessionAccess, SessionContext } from '@waiver-service/core';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  type TokenEndpointRequestOptions,
} from 'oauth4webapi';

/** The credentials of the client that requests tokens. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
}

/** How the client authenticates: by HTTP Basic, or in the body. */
export type ClientAuthentication = 'basic' | 'post';

/** The input for one of oauth4webapi's requests. */
export interface TokenRequestParts {
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly authentication: ClientAuth;
  readonly options: TokenEndpointRequestOptions;
}

/** A vendor's token endpoint, and how it is called. */
export interface TokenEndpoint<S, A> {
  /** Relative to the base address, or absolute. */
  readonly tokenUrl: string;
  client(access: SessionAccess<S, A>): OAuthClient;
  /** Default: `basic`. */
  readonly clientAuthentication?: ClientAuthentication;
}

/** The origin of an absolute address; none for a relative one. */
export function originsElsewhere(address: string): readonly string[] {
  const url = URL.parse(address);
  return url === null ? [] : [url.origin];
}

/** Resolves an absolute address, or one relative to the base address. */
export const addressOf = (address: string, baseUrl: string): URL =>
  URL.parse(address) ?? new URL(`${baseUrl.replace(/\/+$/, '')}/${address.replace(/^\/+/, '')}`);

/**
 * Makes a request to a token endpoint with oauth4webapi, through the guarded client, which also decides whether plain
 * http is allowed. The library's response parser is not used: it accepts only strict RFC 6749, and its errors carry the
 * response's tokens in their causes.
 */
export async function requestToken<S, A>(
  endpoint: TokenEndpoint<S, A>,
  { http, baseUrl, settings, account }: SessionContext<S, A>,
  request: (parts: TokenRequestParts) => Promise<Response>,
): Promise<BookingSystemResponse> {
  const tokenUrl = addressOf(endpoint.tokenUrl, baseUrl);
  const client = endpoint.client({ settings, account });
  const answered = Promise.withResolvers<BookingSystemResponse>();
  const authentication = endpoint.clientAuthentication === 'post' ? ClientSecretPost : ClientSecretBasic;
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
