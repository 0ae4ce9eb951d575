import type { Session } from '@waiver-service/core';
import type { HttpUse, SessionWait } from '@waiver-service/outbound';

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
