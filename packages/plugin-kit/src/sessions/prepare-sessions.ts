import type { BookingSystemPlugin, InstalledAccount, SessionAccess } from '@waiver-service/core';
import type { Outbound, SessionSource } from '@waiver-service/outbound';
import { BookingSystemNotConfigured } from '../not-configured.ts';
import { withoutSecretsInErrors } from '../without-secrets.ts';
import type { RenewSession, SessionKeeper } from './session-keeper.ts';

/** The installation whose sessions are prepared. */
export interface SessionsInput<S, A extends InstalledAccount> extends SessionAccess<S, A> {
  readonly plugin: BookingSystemPlugin<S, A>;
  readonly outbound: Outbound;
  readonly baseUrl: string;
  readonly pool: string;
  readonly sessionKeeper: SessionKeeper;
}

function checkOrigin(origin: string, displayName: string): string {
  if (URL.parse(origin)?.origin === origin) return origin;
  throw new BookingSystemNotConfigured(
    `${displayName} requests tokens at ${JSON.stringify(origin)}, which is no origin: scheme, host and port, such as https://login.example.com`,
  );
}

/** Where the requests of an installation get their session from; `undefined` if the plugin needs none. */
export function prepareSessions<S, A extends InstalledAccount>(
  input: SessionsInput<S, A>,
): SessionSource | undefined {
  const { plugin, outbound, baseUrl, pool, settings, account, sessionKeeper } = input;
  const { session: sessions, judgeAnswer, displayName } = plugin;
  if (sessions === undefined) return undefined;
  const origins = sessions.allowedOrigins?.({ settings, account }) ?? [];
  const clientFor = outbound.prepareHttp({
    baseUrl,
    headers: {},
    secrets: { apiKey: account.apiKey },
    tokens: { origins: origins.map((origin) => checkOrigin(origin, displayName)) },
    peer: displayName,
  });
  const renew: RenewSession = (former, use) => {
    const client = clientFor(use);
    const context = {
      ...client,
      pool,
      settings,
      account,
      bookingSystem: displayName,
      baseUrl,
      now: use.now?.() ?? new Date(),
      signal: use.signal,
    };
    return withoutSecretsInErrors(client.secrets, async () => sessions.renew(context, former));
  };
  return {
    current: (wait) => sessionKeeper.current(renew, wait),
    replace: (refused, wait) => sessionKeeper.replace(renew, refused, wait),
    isRefusal: (response) => response.status === 401 || judgeAnswer?.(response)?.meaning === 'bad-key',
  };
}
