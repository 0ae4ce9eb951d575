import type { BookingSystemSession } from '@waiver-service/core';
import { clientCredentialsGrantRequest } from 'oauth4webapi';
import { sessionOfTokenAnswer } from './token-answer.ts';
import { originsElsewhere, requestToken, type TokenEndpoint } from './token-request.ts';

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
