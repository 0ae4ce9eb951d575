import {
  AuthenticationRejected,
  type BookingSystemSession,
  type InstalledAccount,
} from '@waiver-service/core';
import { genericTokenEndpointRequest, refreshTokenGrantRequest } from 'oauth4webapi';
import { sessionOfTokenAnswer } from './token-answer.ts';
import { addressOf, originsElsewhere, requestToken, type TokenEndpoint } from './token-request.ts';

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
