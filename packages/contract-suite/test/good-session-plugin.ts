import type {
  BookingSystemPlugin,
  BookingSystemSession,
  InstalledAccount,
  SignableRequest,
} from '@waiver-service/core';
import {
  authorizationCode,
  clientCredentials,
  defineBookingSystem,
  sessionOfTokenAnswer,
} from '@waiver-service/plugin-kit';
import type { ContractSuiteOptions } from '../src/index.ts';

type SessionOfAccount = BookingSystemSession<unknown, InstalledAccount>;

export const goodSession: SessionOfAccount = clientCredentials({
  tokenUrl: '/oauth/token',
  client: ({ account }) => ({ id: String(account.accountId), secret: account.apiKey }),
});

/** Follows the contract, but for tokens in place of the key. */
export const sessionPlugin = (session: SessionOfAccount): BookingSystemPlugin =>
  defineBookingSystem({
    installName: 'good-session',
    displayName: 'Good, with a session',
    contract: { pathShape: 'path', guestId: 'booking-guest-id' },
    session,
  });

export const goodSessionPlugin = sessionPlugin(goodSession);

function clientOf({ headers }: SignableRequest): string {
  const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ');
  // Each of the two is encoded as in a form (RFC 6749, 2.3.1).
  return scheme === 'Basic' ? decodeURIComponent(Buffer.from(credentials, 'base64').toString()) : '';
}

export const sessionOptions = {
  isAuthentic: ({ headers }, { accessToken }) =>
    accessToken !== undefined && headers.authorization === `Bearer ${accessToken}`,
  tokens: {
    tokenUrl: '/oauth/token',
    isAuthentic: (request, { account }) =>
      new URLSearchParams(Buffer.from(request.body).toString()).get('grant_type') === 'client_credentials' &&
      clientOf(request) === `${account.accountId}:${account.apiKey}`,
    issue: (access_token, expires_in) => ({ body: { access_token, token_type: 'Bearer', expires_in } }),
    refused: { status: 401, body: { error: 'invalid_client' } },
  },
} satisfies ContractSuiteOptions;

const login = 'https://login.example.com';

/** The same, with its tokens at another origin and in JSON. */
export const goodLoginPlugin = sessionPlugin({
  grant: 'client-credentials',
  allowedOrigins: () => [login],
  async renew(context) {
    const { http, account } = context;
    const answer = await http.post(`${login}/tokens`, { user: account.accountId, key: account.apiKey });
    return sessionOfTokenAnswer(answer, context);
  },
});

export const loginOptions: ContractSuiteOptions = {
  ...sessionOptions,
  tokens: {
    tokenUrl: `${login}/tokens`,
    isAuthentic: ({ body }, { account }) =>
      Buffer.from(body).toString() === JSON.stringify({ user: account.accountId, key: account.apiKey }),
    issue: (access_token, expires_in) => ({ status: 201, body: { access_token, expires_in } }),
    refused: { status: 403, body: 'no' },
  },
};

const ownClient: Parameters<typeof authorizationCode<unknown, InstalledAccount>>[0]['client'] = ({
  account,
}) => ({
  id: String(account.accountId),
  secret: account.apiKey,
});

export const goodAuthorization: SessionOfAccount = authorizationCode({
  authorizationUrl: 'https://login.example.com/authorize?from=waivers',
  tokenUrl: 'oauth/token',
  client: ownClient,
  clientAuthentication: 'post',
  parameters: { scope: 'bookings' },
});

/** The same, for accounts that an operator authorizes in a browser. */
export const goodAuthorizedPlugin = sessionPlugin(goodAuthorization);

export const authorizedOptions: ContractSuiteOptions = {
  ...sessionOptions,
  tokens: {
    ...sessionOptions.tokens,
    isAuthentic({ body }, { account, visit, refreshToken }) {
      const client = { client_id: String(account.accountId), client_secret: account.apiKey };
      const { code, codeVerifier: code_verifier, redirectUri: redirect_uri } = visit ?? {};
      const expected =
        refreshToken === undefined
          ? { ...client, grant_type: 'authorization_code', code, code_verifier, redirect_uri }
          : { ...client, grant_type: 'refresh_token', refresh_token: refreshToken };
      const form = [...new URLSearchParams(Buffer.from(body).toString())];
      const byName = (fields: object) => JSON.stringify(Object.entries(fields).toSorted());
      return byName(Object.fromEntries(form)) === byName(expected);
    },
    issue: (access_token, expires_in, refresh_token) => ({
      body: { access_token, token_type: 'bearer', expires_in, refresh_token },
    }),
    refused: { status: 400, body: { error: 'invalid_grant' } },
  },
};
