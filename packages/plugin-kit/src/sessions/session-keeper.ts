import type { Session } from '@waiver-service/core';
import type { HttpUse, SessionWait } from '@waiver-service/outbound';

/**
 * Has a plugin open a session, or turn a former one into a new one. The use is the renewal's own: it must not end with the
 * call that needs the session, because what the booking system has issued by then would be lost.
 */
export type RenewSession = (former: Session | undefined, use: HttpUse) => Promise<Session>;

/** Keeps the session of one installation, and has it renewed by one caller at a time. */
export interface SessionKeeper {
  /** The session, renewed if it is about to end. */
  current(renew: RenewSession, wait: SessionWait): Promise<Session>;
  /** The session that came after the refused one, renewed if there is none; `undefined` if another would be refused too. */
  replace(renew: RenewSession, refused: Session, wait: SessionWait): Promise<Session | undefined>;
}
