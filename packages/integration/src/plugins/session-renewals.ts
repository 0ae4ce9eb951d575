import { setTimeout as delay } from 'node:timers/promises';
import {
  AuthenticationRejected,
  BookingSystemTimeout,
  isBookingSystemError,
  type Session,
} from '@waiver-service/core';
import type { HttpUse } from '@waiver-service/outbound';
import { isDueForRenewal, type RenewSession } from '@waiver-service/plugin-kit';
import type { BookingSystemSessions, Renewal, SessionState, StoredSession } from '@waiver-service/store';

/*
 * Installations' sessions, which all hosts share through the database. A session that is due is renewed by the host
 * that takes the lease (`begin`); the others keep using it while it is valid, and otherwise wait. A renewal ends as
 *
 *   recorded     the new session is stored, and used by all hosts
 *   superseded   another host has taken over, or the installation is gone: the new token is discarded
 *   lost         the booking system refused: retried with a growing backoff, or earlier by an operator
 *   released     it failed otherwise, and may be begun again at once; if its host died, once the lease expires
 */

/** An installation whose requests need a session. */
export interface SessionInstallation {
  readonly destination: string;
  readonly pool: string;
  readonly bookingSystem: string;
  readonly displayName: string;
  /** Identifies its credentials and its address: sessions opened with earlier ones are no longer used. */
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

/** An installation was authorized, but that could not be stored: other hosts do not know of it. */
export class AuthorizationNotStored extends Error {
  override readonly name = 'AuthorizationNotStored';
}

/** Which session is wanted. */
export interface SessionRequest {
  /** The access token that the booking system has just refused. */
  readonly refused: string | undefined;
  /** Whether to try even after a recent refusal: an operator wants to know. */
  readonly evenIfRefused: boolean;
}

/** The parts of {@link createSessionRenewals}. */
export interface SessionRenewalsParts {
  readonly sessions: BookingSystemSessions;
  /** Milliseconds for one renewal, however many requests the plugin makes for it. */
  readonly timeoutMs: number;
  readonly onEvent: (event: SessionEvent) => void;
  /** Called with each session to use from now on, and whether other hosts can read it. */
  readonly onSession: (installation: SessionInstallation, stored: StoredSession, isRecorded: boolean) => void;
}

/** Sessions from the database or, by renewal, from the booking system. */
export interface SessionRenewals {
  obtain(installation: SessionInstallation, renew: RenewSession, wanted: SessionRequest): Promise<Session>;
  /** The session in the database, if it can be used. */
  stored(installation: SessionInstallation): Promise<Session | undefined>;
  /**
   * Opens a session, replacing any other.
   * @throws AuthorizationNotStored
   */
  open(installation: SessionInstallation, open: (use: HttpUse) => Promise<Session>): Promise<void>;
}

// Time to record a renewal after it ends.
const leaseMarginMs = 5_000;
const pollMs = 50;
const retryLostAfterMs = 60_000;
const maxRetryLostAfterMs = 30 * 60_000;
const recordAttempts = 5;
const recordAgainMs = 500;

export const outOfTime = ({ displayName }: Pick<SessionInstallation, 'displayName'>) =>
  new BookingSystemTimeout(`${displayName} gave no token in time`, { outboundErrorCode: 'timeout' });

const isRefusal = (error: unknown): error is AuthenticationRejected =>
  isBookingSystemError(error) && error.code === 'booking_system_auth_rejected';

const hasEnded = ({ session: { expiresAt } }: StoredSession) =>
  expiresAt !== undefined && expiresAt.getTime() <= Date.now();

function lostError({ displayName }: SessionInstallation, reason: string, since: Date, retryInMs: number) {
  const again = retryInMs > 0 ? ` It is tried again in ${Math.ceil(retryInMs / 1_000)} s.` : '';
  return new AuthenticationRejected(
    `${displayName} has not renewed the authorization of this installation since ${since.toISOString()}: ${reason}.${again}`,
    { notSent: true },
  );
}

/** The {@link SessionRenewals} of this process. */
export function createSessionRenewals(parts: SessionRenewalsParts): SessionRenewals {
  const { sessions, timeoutMs, onEvent, onSession } = parts;
  const leaseMs = timeoutMs + leaseMarginMs;

  const useFor = ({ beforeRequest }: SessionInstallation): HttpUse => ({
    signal: new AbortController().signal,
    deadlineAt: performance.now() + timeoutMs,
    beforeRequest,
  });

  /** Retries, since the booking system may not issue another session. */
  async function record(
    installation: SessionInstallation,
    renewal: Renewal,
    stored: StoredSession,
  ): Promise<'recorded' | 'superseded' | 'unrecorded'> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await sessions.record(renewal, stored)) ? 'recorded' : 'superseded';
      } catch (error) {
        if (attempt < recordAttempts) {
          await delay(recordAgainMs * attempt);
          continue;
        }
        onEvent({ type: 'unrecorded', installation, error });
        return 'unrecorded';
      }
    }
  }

  /** A session that could not be recorded is still valid, and this process keeps using it. */
  async function take(
    installation: SessionInstallation,
    renewal: Renewal,
    state: SessionState,
    session: Session,
  ) {
    const stored = { session, issuedAt: new Date(), openedWith: installation.openedWith };
    const recording = await record(installation, renewal, stored);
    if (recording === 'superseded') return recording;
    onSession(installation, stored, recording === 'recorded');
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
      // If that fails, its lease expires.
      await sessions.release(renewal).catch(() => undefined);
      throw error;
    }
    if ((await take(installation, renewal, state, session)) !== 'superseded') return session;
    return obtain(installation, renew, { refused: undefined, evenIfRefused: false });
  }

  async function obtain(
    installation: SessionInstallation,
    renew: RenewSession,
    { refused, evenIfRefused }: SessionRequest,
  ): Promise<Session> {
    const { destination, openedWith } = installation;
    const giveUpAt = performance.now() + leaseMs + timeoutMs;
    while (performance.now() < giveUpAt) {
      const state = await sessions.read(destination);
      const { stored, lost } = state;
      const usable = stored?.openedWith === openedWith && stored.session.accessToken !== refused;
      if (usable && !isDueForRenewal(stored, new Date())) {
        onSession(installation, stored, true);
        return stored.session;
      }
      const isValid = usable && !hasEnded(stored);
      if (lost !== undefined && lost.retryInMs > 0 && !evenIfRefused) {
        if (isValid) return stored.session;
        throw lostError(installation, lost.reason, lost.since, lost.retryInMs);
      }
      const renewal = await sessions.begin({ destination, version: state.version, leaseMs });
      if (renewal !== undefined) {
        try {
          return await renewNow(installation, renew, renewal, state);
        } catch (error) {
          // It was due for renewal, but is still valid.
          if (isValid) return stored.session;
          throw error;
        }
      }
      if (isValid) return stored.session;
      await delay(pollMs);
    }
    throw outOfTime(installation);
  }

  /** Begins a renewal, after any that is in flight. */
  async function begin(
    installation: SessionInstallation,
  ): Promise<{ readonly renewal: Renewal; readonly state: SessionState }> {
    const { destination } = installation;
    const giveUpAt = performance.now() + leaseMs + timeoutMs;
    while (performance.now() < giveUpAt) {
      const state = await sessions.read(destination);
      const renewal = await sessions.begin({ destination, version: state.version, leaseMs });
      if (renewal !== undefined) return { renewal, state };
      await delay(pollMs);
    }
    throw outOfTime(installation);
  }

  return {
    obtain,
    async stored(installation) {
      const { stored } = await sessions.read(installation.destination);
      if (stored?.openedWith !== installation.openedWith || hasEnded(stored)) return undefined;
      onSession(installation, stored, true);
      return stored.session;
    },
    async open(installation, open) {
      const { renewal, state } = await begin(installation);
      let session: Session;
      try {
        session = await open(useFor(installation));
      } catch (error) {
        await sessions.release(renewal).catch(() => undefined);
        throw error;
      }
      const recording = await take(installation, renewal, state, session);
      if (recording === 'superseded') throw outOfTime(installation);
      if (recording === 'unrecorded') throw new AuthorizationNotStored();
    },
  };
}
