import type { Session } from '@waiver-service/core';

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
