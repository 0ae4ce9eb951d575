import type { BookingSystemSession, SessionAccess } from '@waiver-service/core';
import { clientCredentialsGrantRequest } from 'oauth4webapi';
import { sessionOfTokenAnswer } from './token-answer.ts';
import {
  addressOf,
  type ClientAuthentication,
  type OAuthClient,
  originsElsewhere,
  requestToken,
} from './token-request.ts';

/** How a vendor gives tokens by OAuth 2.0's client credentials (RFC 6749, section 4.4). */
export interface ClientCredentials<S, A> {
  /** Relative to the base address, or absolute. */
  readonly tokenUrl: string;
  client(access: SessionAccess<S, A>): OAuthClient;
  /** Default: `basic`. */
  readonly clientAuthentication?: ClientAuthentication;
  /** Further parameters of the request, such as `scope` or `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The session of a vendor that gives tokens by OAuth 2.0's client credentials. */
export function clientCredentials<S, A>(vendor: ClientCredentials<S, A>): BookingSystemSession<S, A> {
  const { clientAuthentication = 'basic', parameters = {} } = vendor;
  return {
    grant: 'client-credentials',
    allowedOrigins: () => originsElsewhere(vendor.tokenUrl),
    async renew(context) {
      const { http, baseUrl, settings, account } = context;
      const tokenUrl = addressOf(vendor.tokenUrl, baseUrl);
      const client = vendor.client({ settings, account });
      const response = await requestToken({ tokenUrl, client, clientAuthentication, http }, (parts) =>
        clientCredentialsGrantRequest(
          parts.server,
          parts.client,
          parts.authentication,
          { ...parameters },
          parts.options,
        ),
      );
      return sessionOfTokenAnswer(response, context);
    },
  };
}
