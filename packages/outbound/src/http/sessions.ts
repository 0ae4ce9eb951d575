import type { BookingSystemResponse, Session } from '@waiver-service/core';
import type { UseSecrets } from '../redaction/secrets.ts';
import type { CallTrace } from '../trace/call-trace.ts';

/** How long to wait for a session. */
export interface SessionWait {
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly deadlineAt?: number | undefined;
}

/** The source of one installation's sessions. */
export interface SessionSource {
  /** The session to authenticate a request with. */
  current(wait: SessionWait): Promise<Session>;
  /** A replacement for a refused session; `undefined` if another one would not help. */
  replace(refused: Session, wait: SessionWait): Promise<Session | undefined>;
  /** Whether a response refuses its request's session. */
  isRefusal(response: BookingSystemResponse): boolean;
}

/**
 * Makes a request with the current session. If that session is refused, the request has had no effect and is made once
 * more with another session.
 */
export async function withSession<Response extends BookingSystemResponse>(
  source: SessionSource,
  wait: SessionWait & { readonly trace?: CallTrace | undefined },
  secrets: UseSecrets,
  request: (session: Session) => Promise<Response>,
): Promise<Response> {
  const { trace } = wait;
  const traced = <Result>(step: () => Promise<Result>) => (trace ? trace.waitFor('session', step) : step());
  const attempt = (session: Session) => {
    const { accessToken, refreshToken = '' } = session;
    secrets.add({ accessToken, refreshToken });
    return request(session);
  };
  // Before the request waits for its turn, because renewing a session also takes turns.
  const session = await traced(() => source.current(wait));
  const response = await attempt(session);
  if (!source.isRefusal(response)) return response;
  const other = await traced(() => source.replace(session, wait));
  return other === undefined ? response : attempt(other);
}
