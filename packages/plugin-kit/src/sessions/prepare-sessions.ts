import {
  AuthenticationRejected,
  type AuthorizationCallback,
  type AuthorizationRequest,
  type BookingSystemPlugin,
  type InstalledAccount,
  type Session,
  type SessionAccess,
  type SessionContext,
} from '@waiver-service/core';
import type { HttpUse, Outbound, SessionSource } from '@waiver-service/outbound';
import { BookingSystemNotConfigured } from '../not-configured.ts';
import { withoutSecretsInErrors } from '../without-secrets.ts';
import type { RenewSession, SessionKeeper } from './session-keeper.ts';

/** The installation whose sessions are prepared. */
export interface SessionsInput<S, A extends InstalledAccount> extends SessionAccess<S, A> {
  readonly plugin: BookingSystemPlugin<S, A>;
  readonly outbound: Outbound;
  readonly baseUrl: string;
  readonly pool: string;
  readonly installation: string;
}

/** How an operator authorizes an installation. */
export interface PreparedAuthorization {
  /** The page to send the operator's browser to. */
  url(visit: Pick<AuthorizationRequest, 'state' | 'redirectUri' | 'codeChallenge'>): URL;
  /** Opens a session from the browser's redirect. `use`: as for a renewal, see `RenewSession`. */
  exchange(callback: AuthorizationCallback, use: HttpUse): Promise<Session>;
}

export interface PreparedSessions {
  sourceOf(keeper: SessionKeeper): SessionSource;
  /** Undefined unless the plugin's first session is opened with an authorization code. */
  readonly authorization: PreparedAuthorization | undefined;
}

function checkOrigin(origin: string, displayName: string): string {
  if (URL.parse(origin)?.origin === origin) return origin;
  throw new BookingSystemNotConfigured(
    `${displayName} requests tokens at ${JSON.stringify(origin)}, which is no origin: scheme, host and port, such as https://login.example.com`,
  );
}

function remedyOf({ installName, session }: BookingSystemPlugin, pool: string): string {
  return session?.grant === 'authorization-code'
    ? `authorize it at the address that POST /v1/admin/pools/${encodeURIComponent(pool)}/installations/${installName}/authorize gives`
    : 'install again, with credentials that it accepts';
}

/** Prepares the sessions of an installation; `undefined` if the plugin has none. */
export function prepareSessions<S, A extends InstalledAccount>(
  input: SessionsInput<S, A>,
): PreparedSessions | undefined {
  const { plugin, outbound, baseUrl, pool, installation, settings, account, environment } = input;
  const { session: sessions, judgeAnswer, displayName } = plugin;
  if (sessions === undefined) return undefined;
  const { grant, authorizationUrl, exchangeCode } = sessions;
  const access = { settings, account, environment };
  const origins = sessions.allowedOrigins?.(access) ?? [];
  const remedy = remedyOf(plugin, pool);
  const clientFor = outbound.prepareHttp({
    baseUrl,
    headers: {},
    secrets: { apiKey: account.apiKey },
    tokens: { origins: origins.map((origin) => checkOrigin(origin, displayName)) },
    peer: displayName,
  });

  function open(
    use: HttpUse,
    request: (context: SessionContext<S, A>) => Promise<Session>,
  ): Promise<Session> {
    const client = clientFor(use);
    const context = {
      ...client,
      ...access,
      pool,
      installation,
      bookingSystem: displayName,
      baseUrl,
      now: use.now?.() ?? new Date(),
      remedy,
      signal: use.signal,
    };
    return withoutSecretsInErrors(client.secrets, async () => request(context));
  }

  const renew: RenewSession = async (former, use) => {
    if (former === undefined && grant === 'authorization-code')
      throw new AuthenticationRejected(
        `${displayName} has not been authorized for this installation: ${remedy}`,
      );
    return open(use, (context) => sessions.renew(context, former));
  };

  return {
    sourceOf: (keeper) => ({
      current: (wait) => keeper.current(renew, wait),
      replace: (refused, wait) => keeper.replace(renew, refused, wait),
      isRefusal: (response) => response.status === 401 || judgeAnswer?.(response)?.meaning === 'bad-key',
    }),
    authorization:
      authorizationUrl && exchangeCode
        ? {
            url: (visit) => authorizationUrl({ ...access, baseUrl, ...visit }),
            exchange: (callback, use) => open(use, (context) => exchangeCode(context, callback)),
          }
        : undefined,
  };
}
