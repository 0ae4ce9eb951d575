import {
  AuthenticationRejected,
  BookingSystemTimeout,
  isBookingSystemError,
  type Session,
} from '@waiver-service/core';
import type { HttpUse, SessionWait } from '@waiver-service/outbound';
import { isDueForRenewal, type RenewSession, type SessionKeeper } from '@waiver-service/plugin-kit';
import type { BookingSystemSessions, Renewal, SessionState, StoredSession } from '@waiver-service/store';

/** An installation whose requests need a session. */
export interface SessionInstallation {
  readonly destination: string;
  readonly pool: string;
  readonly bookingSystem: string;
  readonly displayName: string;
  /** Tells its credentials and its address from former ones, whose sessions are not used any more. */
  readonly openedWith: string;
  /** How the requests of a renewal are counted. */
  readonly beforeRequest?: HttpUse['beforeRequest'];
}

/** A change of the authorization of an installation. */
export interface SessionEvent {
  readonly type: 'lost' | 'regained' | 'unrecorded';
  readonly installation: Pick<SessionInstallation, 'destination' | 'pool' | 'bookingSystem'>;
  readonly error?: unknown;
}

/** The booking system has authorized an installation, and that could not be stored: other hosts know nothing of it. */
export class AuthorizationNotStored extends Error {}

/** Whether a session was recorded; `superseded`: another host has taken over, or the installation is gone. */
type Recording = 'recorded' | 'superseded' | 'unrecorded';

/** The parts of {@link createSessionKeepers}. */
export interface SessionKeepersParts {
  readonly sessions: BookingSystemSessions;
  /** Milliseconds for one renewal, however many requests the plugin makes for it. */
  readonly timeoutMs: number;
  readonly onEvent: (event: SessionEvent) => void;
}

/** Makes keepers of sessions, which share what they know. */
export interface SessionKeepers {
  /** @param evenIfLost - whether to try although the booking system has just refused: an operator wants to know */
  keeperOf(installation: SessionInstallation, evenIfLost: boolean): SessionKeeper;
  /**
   * Opens the session of an installation by what an operator's authorization brought, in place of any other.
   * @param open - as {@link RenewSession}, without a former session
   * @throws AuthorizationNotStored
   */
  openWith(installation: SessionInstallation, open: (use: HttpUse) => Promise<Session>): Promise<void>;
  /** Resolves when no renewal is under way: what one has brought would be lost with this process. */
  drain(): Promise<void>;
}

// After the end of a renewal: to record it.
const leaseMarginMs = 5_000;
const pollMs = 50;
const retryLostAfterMs = 60_000;
const maxRetryLostAfterMs = 30 * 60_000;
const recordAttempts = 5;
const recordAgainMs = 500;
// A token that is refused so soon after another one was is not what is wrong.
const hopelessMs = 10_000;
const maxCached = 10_000;

const afterMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const outOfTime = ({ displayName }: Pick<SessionInstallation, 'displayName'>) =>
  new BookingSystemTimeout(`${displayName} gave no token in time`, { outboundErrorCode: 'timeout' });

const isRefusal = (error: unknown): error is AuthenticationRejected =>
  isBookingSystemError(error) && error.code === 'booking_system_auth_rejected';

const hasEnded = ({ session: { expiresAt } }: StoredSession) =>
  expiresAt !== undefined && expiresAt.getTime() <= Date.now();

/** Waits for a session no longer than a call may. */
function waitFor(
  work: Promise<Session>,
  { signal, deadlineAt = Number.POSITIVE_INFINITY }: SessionWait,
  installation: Pick<SessionInstallation, 'displayName'>,
): Promise<Session> {
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

/** A map that forgets what was set first. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxCached && oldest !== undefined) map.delete(oldest);
}

/** The {@link SessionKeepers} of this process. */
export function createSessionKeepers({ sessions, timeoutMs, onEvent }: SessionKeepersParts): SessionKeepers {
  const leaseMs = timeoutMs + leaseMarginMs;
  /** By destination. */
  const cache = new Map<string, StoredSession>();
  /** By destination. */
  const replacements = new Map<string, { readonly accessToken: string; readonly at: number }>();
  /** By destination and by what the session is opened with: a change of these must not bring the former one's token. */
  const flights = new Map<string, Promise<Session>>();

  function lostError({ displayName }: SessionInstallation, reason: string, since: Date, retryInMs: number) {
    const again = retryInMs > 0 ? ` It is tried again in ${Math.ceil(retryInMs / 1_000)} s.` : '';
    return new AuthenticationRejected(
      `${displayName} has not renewed the authorization of this installation since ${since.toISOString()}: ${reason}.${again}`,
      { notSent: true },
    );
  }

  /** Records a session that the booking system has issued: it may not issue another one. */
  async function record(
    installation: SessionInstallation,
    renewal: Renewal,
    stored: StoredSession,
  ): Promise<Recording> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await sessions.record(renewal, stored)) ? 'recorded' : 'superseded';
      } catch (error) {
        if (attempt < recordAttempts) {
          await afterMs(recordAgainMs * attempt);
          continue;
        }
        onEvent({ type: 'unrecorded', installation, error });
        return 'unrecorded';
      }
    }
  }

  const useFor = ({ beforeRequest }: SessionInstallation): HttpUse => ({
    signal: new AbortController().signal,
    deadlineAt: performance.now() + timeoutMs,
    beforeRequest,
  });

  /** A session that could not be recorded is valid all the same, and this process goes on with it. */
  async function keep(
    installation: SessionInstallation,
    renewal: Renewal,
    state: SessionState,
    session: Session,
  ): Promise<Recording> {
    const { destination, openedWith } = installation;
    const stored = { session, issuedAt: new Date(), openedWith };
    const recording = await record(installation, renewal, stored);
    if (recording === 'superseded') return recording;
    remember(cache, destination, stored);
    if (state.lost !== undefined) onEvent({ type: 'regained', installation });
    return recording;
  }

  async function recordLoss(
    installation: SessionInstallation,
    renewal: Renewal,
    state: SessionState,
    error: AuthenticationRejected,
  ): Promise<AuthenticationRejected> {
    const interrupted = renewal.followsInterrupted
      ? '. A renewal before was interrupted, so that what it brought is lost'
      : '';
    const reason = `${error.message}${interrupted}`;
    const loss = { reason, retryAfterMs: retryLostAfterMs, maxRetryAfterMs: maxRetryLostAfterMs };
    if (await sessions.lose(renewal, loss)) onEvent({ type: 'lost', installation, error });
    return lostError(installation, reason, state.lost?.since ?? new Date(), 0);
  }

  async function renewNow(
    installation: SessionInstallation,
    renew: RenewSession,
    renewal: Renewal,
    state: SessionState,
  ): Promise<Session> {
    const { openedWith } = installation;
    const former = state.stored?.openedWith === openedWith ? state.stored : undefined;
    let session: Session;
    try {
      session = await renew(former?.session, useFor(installation));
    } catch (error) {
      if (isRefusal(error)) throw await recordLoss(installation, renewal, state, error);
      // Otherwise its lease runs out.
      await sessions.release(renewal).catch(() => undefined);
      throw error;
    }
    if ((await keep(installation, renewal, state, session)) !== 'superseded') return session;
    return obtain(installation, renew, undefined, false);
  }

  /** The session of all hosts; renewed by this one if no other does. */
  async function obtain(
    installation: SessionInstallation,
    renew: RenewSession,
    refused: string | undefined,
    evenIfLost: boolean,
  ): Promise<Session> {
    const { destination, openedWith } = installation;
    const giveUpAt = performance.now() + leaseMs + timeoutMs;
    while (performance.now() < giveUpAt) {
      const state = await sessions.read(destination);
      const { stored, lost } = state;
      const usable = stored?.openedWith === openedWith && stored.session.accessToken !== refused;
      if (usable && !isDueForRenewal(stored, new Date())) {
        remember(cache, destination, stored);
        return stored.session;
      }
      const isValid = usable && !hasEnded(stored);
      if (lost !== undefined && lost.retryInMs > 0 && !evenIfLost) {
        if (isValid) return stored.session;
        throw lostError(installation, lost.reason, lost.since, lost.retryInMs);
      }
      const renewal = await sessions.begin({ destination, version: state.version, leaseMs });
      if (renewal !== undefined) {
        try {
          return await renewNow(installation, renew, renewal, state);
        } catch (error) {
          // It was about to end, and has not yet.
          if (isValid) return stored.session;
          throw error;
        }
      }
      if (isValid) return stored.session;
      await afterMs(pollMs);
    }
    throw outOfTime(installation);
  }

  /** Shares what {@link obtain} brings among the callers of this process. */
  async function obtainOnce(
    installation: SessionInstallation,
    renew: RenewSession,
    refused: string | undefined,
    evenIfLost: boolean,
  ): Promise<Session> {
    const key = JSON.stringify([installation.destination, installation.openedWith]);
    for (let running = flights.get(key); running !== undefined; running = flights.get(key)) {
      const session = await running;
      if (session.accessToken !== refused) return session;
    }
    const flight = obtain(installation, renew, refused, evenIfLost).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }

  /** Waits for a renewal that is under way. */
  async function begin(
    installation: SessionInstallation,
  ): Promise<{ readonly renewal: Renewal; readonly state: SessionState }> {
    const { destination } = installation;
    const giveUpAt = performance.now() + leaseMs + timeoutMs;
    while (performance.now() < giveUpAt) {
      const state = await sessions.read(destination);
      const renewal = await sessions.begin({ destination, version: state.version, leaseMs });
      if (renewal !== undefined) return { renewal, state };
      await afterMs(pollMs);
    }
    throw outOfTime(installation);
  }

  async function openNow(
    installation: SessionInstallation,
    open: (use: HttpUse) => Promise<Session>,
  ): Promise<void> {
    const { renewal, state } = await begin(installation);
    let session: Session;
    try {
      session = await open(useFor(installation));
    } catch (error) {
      await sessions.release(renewal).catch(() => undefined);
      throw error;
    }
    const recording = await keep(installation, renewal, state, session);
    if (recording === 'superseded') throw outOfTime(installation);
    if (recording === 'unrecorded') throw new AuthorizationNotStored();
  }

  const openings = new Set<Promise<void>>();

  return {
    async drain() {
      while (flights.size + openings.size > 0) {
        await Promise.allSettled<unknown>([...flights.values(), ...openings]);
      }
    },
    async openWith(installation, open) {
      const opening = openNow(installation, open);
      openings.add(opening);
      try {
        await opening;
      } finally {
        openings.delete(opening);
      }
    },
    keeperOf(installation, evenIfLost) {
      const { destination, openedWith } = installation;
      const obtained = (renew: RenewSession, refused: string | undefined, wait: SessionWait) =>
        waitFor(obtainOnce(installation, renew, refused, evenIfLost), wait, installation);
      return {
        async current(renew, wait) {
          const cached = cache.get(destination);
          if (cached?.openedWith === openedWith && !isDueForRenewal(cached, new Date()))
            return cached.session;
          return obtained(renew, undefined, wait);
        },
        async replace(renew, { accessToken: refused }, wait) {
          const last = replacements.get(destination);
          if (last?.accessToken === refused && performance.now() - last.at < hopelessMs) return undefined;
          const cached = cache.get(destination);
          if (cached?.openedWith === openedWith && cached.session.accessToken !== refused)
            return cached.session;
          const session = await obtained(renew, refused, wait);
          remember(replacements, destination, { accessToken: session.accessToken, at: performance.now() });
          return session;
        },
      };
    },
  };
}
