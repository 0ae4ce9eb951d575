import {
  AuthenticationRejected,
  type AuthorizationCallback,
  type AuthorizationRequest,
  BookingSystemError,
  type BookingSystemPlugin,
  type InstalledAccount,
  type Session,
  type SessionAccess,
  type SessionContext,
} from '@waiver-service/core';
import type { HttpUse, Outbound, SessionSource, SessionWait } from '@waiver-service/outbound';
import { withoutSecretsInErrors } from '../secrets.ts';

/**
 * A booking system cannot be called because a setting, an account field or its address is missing or malformed.
 * Identify it by its `code`: an external plugin may throw it from its own copy of this package.
 */
export class BookingSystemNotConfigured extends BookingSystemError {
  readonly code = 'booking_system_not_configured';
  readonly retryable = true;
}

/**
 * Has a plugin open a session, or renew the previous one. `use` is the renewal's own: it must not end with the call
 * that needs the session, or tokens that the booking system has just issued would be lost.
 */
export type RenewSession = (former: Session | undefined, use: HttpUse) => Promise<Session>;

/** Keeps one installation's session, and lets only one caller at a time renew it. */
export interface SessionKeeper {
  /** The session, renewed if it is about to end. */
  current(renew: RenewSession, wait: SessionWait): Promise<Session>;
  /** The session issued after the refused one, renewed if there is none; `undefined` if another would be refused too. */
  replace(renew: RenewSession, refused: Session, wait: SessionWait): Promise<Session | undefined>;
}

/** A session, and when it was issued. */
export interface IssuedSession {
  readonly session: Session;
  readonly issuedAt: Date;
}

// Longer than a request with its wait for a turn, and more than the clocks of two hosts may differ.
const maxEarlyMs = 60_000;
const shareOfLifetime = 5;

/** Whether a session is due for renewal: in its last minute or, for a short one, in its last fifth. */
export function isDueForRenewal({ session: { expiresAt }, issuedAt }: IssuedSession, now: Date): boolean {
  if (expiresAt === undefined) return false;
  const lifetimeMs = expiresAt.getTime() - issuedAt.getTime();
  const earlyMs = Math.min(maxEarlyMs, lifetimeMs / shareOfLifetime);
  return now.getTime() >= expiresAt.getTime() - earlyMs;
}

const ownUse = (): HttpUse => ({ signal: new AbortController().signal });

/**
 * Keeps a session in this process only, for tests and checks; the host's own keeper shares it among all its processes.
 * @param useOf the options for the requests of a renewal
 */
export function keepSessionInMemory(useOf: () => HttpUse = ownUse): SessionKeeper {
  let kept: IssuedSession | undefined;
  let renewing: Promise<Session> | undefined;

  async function renewNow(renew: RenewSession): Promise<Session> {
    const use = useOf();
    try {
      const session = await renew(kept?.session, use);
      kept = { session, issuedAt: use.now?.() ?? new Date() };
      return session;
    } finally {
      renewing = undefined;
    }
  }

  function renewed(renew: RenewSession): Promise<Session> {
    renewing ??= renewNow(renew);
    return renewing;
  }

  return {
    async current(renew) {
      const now = useOf().now?.() ?? new Date();
      return kept !== undefined && !isDueForRenewal(kept, now) ? kept.session : renewed(renew);
    },
    async replace(renew, { accessToken }) {
      return kept !== undefined && kept.session.accessToken !== accessToken ? kept.session : renewed(renew);
    },
  };
}

/** The installation whose sessions are prepared. */
interface SessionsInput<S, A extends InstalledAccount> extends SessionAccess<S, A> {
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

interface PreparedSessions {
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
