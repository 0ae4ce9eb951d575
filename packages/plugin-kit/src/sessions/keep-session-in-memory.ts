import type { Session } from '@waiver-service/core';
import type { HttpUse } from '@waiver-service/outbound';
import { type IssuedSession, isDueForRenewal } from './renewal-time.ts';
import type { RenewSession, SessionKeeper } from './session-keeper.ts';

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
