import type { Session } from '@waiver-service/core';
import type { HttpUse, SessionWait } from '@waiver-service/outbound';
import { isDueForRenewal, type RenewSession, type SessionKeeper } from '@waiver-service/plugin-kit';
import type { StoredSession } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import {
  createSessionRenewals,
  outOfTime,
  type SessionInstallation,
  type SessionRenewalsParts,
  type SessionRequest,
} from './session-renewals.ts';

/** Creates session keepers, which share a cache. */
export interface SessionKeepers {
  /** @param evenIfRefused - whether to try even after a recent refusal: an operator wants to know */
  keeperOf(installation: SessionInstallation, evenIfRefused: boolean): SessionKeeper;
  /**
   * Opens an installation's session from an operator's authorization, replacing any other.
   * @param open - as {@link RenewSession}, without a previous session
   * @throws AuthorizationNotStored
   */
  openWith(installation: SessionInstallation, open: (use: HttpUse) => Promise<Session>): Promise<void>;
  /** Resolves when no renewal is in flight: its result would be lost with this process. */
  drain(): Promise<void>;
}
export const SessionKeepers: ServiceIdentifier<SessionKeepers> = Symbol('SessionKeepers');

// If a token is refused this soon after another one was, a new one would not help either.
const minReplaceIntervalMs = 10_000;
const maxCached = 10_000;

/** Waits for a session no longer than a call may. */
function waitFor<Value>(
  work: Promise<Value>,
  { signal, deadlineAt = Number.POSITIVE_INFINITY }: SessionWait,
  installation: Pick<SessionInstallation, 'displayName'>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    const giveUp = () => reject(outOfTime(installation));
    const leftMs = deadlineAt - performance.now();
    const timer = Number.isFinite(leftMs) ? setTimeout(giveUp, Math.max(0, leftMs)) : undefined;
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    });
  });
}

/** Caches a value, evicting the oldest if there are too many. */
function cacheIn<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
}

/** The {@link SessionKeepers} of this process. */
export function createSessionKeepers(parts: Omit<SessionRenewalsParts, 'onSession'>): SessionKeepers {
  /** By destination. */
  const cache = new Map<string, StoredSession & { readonly isRecorded: boolean }>();
  /** When this process last replaced a refused token, by `performance.now()`. By destination. */
  const replacedAt = new Map<string, number>();
  /** By destination and access: after a change, a token for the previous access must not be shared. */
  const obtaining = new Map<string, Promise<Session>>();
  const opening = new Set<Promise<void>>();
  const renewals = createSessionRenewals({
    ...parts,
    onSession: ({ destination }, stored, isRecorded) =>
      cacheIn(cache, destination, { ...stored, isRecorded }),
  });
  // Another host may have reopened it, for another person.
  parts.sessions.onRecorded((recorded) => {
    if (recorded !== undefined) cache.delete(recorded);
    // Only this process knows those that could not be recorded.
    else for (const [destination, { isRecorded }] of cache) if (isRecorded) cache.delete(destination);
  });

  /** Shares one session among the callers of this process. */
  async function obtainOnce(
    installation: SessionInstallation,
    renew: RenewSession,
    wanted: SessionRequest,
  ): Promise<Session> {
    const key = JSON.stringify([installation.destination, installation.openedWith]);
    for (let running = obtaining.get(key); running !== undefined; running = obtaining.get(key)) {
      const session = await running;
      if (session.accessToken !== wanted.refused) return session;
    }
    const session = renewals.obtain(installation, renew, wanted).finally(() => obtaining.delete(key));
    obtaining.set(key, session);
    return session;
  }

  return {
    async drain() {
      while (obtaining.size + opening.size > 0) {
        await Promise.allSettled<unknown>([...obtaining.values(), ...opening]);
      }
    },
    async openWith(installation, open) {
      const running = renewals.open(installation, open);
      opening.add(running);
      try {
        await running;
      } finally {
        opening.delete(running);
      }
    },
    keeperOf(installation, evenIfRefused) {
      const { destination, openedWith } = installation;
      const obtain = (renew: RenewSession, refused: string | undefined, wait: SessionWait) =>
        waitFor(obtainOnce(installation, renew, { refused, evenIfRefused }), wait, installation);
      return {
        async current(renew, wait) {
          const cached = cache.get(destination);
          if (cached?.openedWith === openedWith && !isDueForRenewal(cached, new Date()))
            return cached.session;
          return obtain(renew, undefined, wait);
        },
        async replace(renew, { accessToken: refused }, wait) {
          const cached = cache.get(destination);
          if (cached?.openedWith === openedWith && cached.session.accessToken !== refused)
            return cached.session;
          const sinceReplacedMs =
            performance.now() - (replacedAt.get(destination) ?? Number.NEGATIVE_INFINITY);
          if (sinceReplacedMs < minReplaceIntervalMs) {
            // Whichever token it was: hosts would otherwise replace each other's for as long as all are refused.
            const stored = await waitFor(renewals.stored(installation), wait, installation);
            return stored?.accessToken === refused ? undefined : stored;
          }
          const session = await obtain(renew, refused, wait);
          cacheIn(replacedAt, destination, performance.now());
          return session;
        },
      };
    },
  };
}
