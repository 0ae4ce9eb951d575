import type { UsedKiosk } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import { countedAddress, createFailureThrottle } from '../authentication/failure-throttle.ts';
import { bearerToken } from '../authentication/identify-callers.ts';
import type { Store } from '../given.ts';
import type { HostApp } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';

const wrongCredentialsPerMinute = 60;

const refused = (code: string, message: string) => new HttpProblem(401, code, message);

/** The kiosk that makes a request to a route for kiosks. */
export function kioskOf({ caller }: Pick<FastifyRequest, 'caller'>): UsedKiosk {
  if (caller?.kind !== 'kiosk') throw new Error('this route is for kiosks');
  return caller.kiosk;
}

/** Opens the routes of a scope to paired kiosks, before the body is read. */
export function openToKiosks(app: HostApp, { store }: { readonly store: Store }): void {
  const throttle = createFailureThrottle(wrongCredentialsPerMinute);
  app.addHook('onRequest', async (request) => {
    const token = bearerToken(request);
    const kiosk = token?.startsWith('wsk_') ? await store.kiosks.find(token) : undefined;
    if (kiosk === undefined) {
      throttle.record({ caller: countedAddress(request.ip), key: token });
      throw refused('kiosk_unknown', 'This tablet is no kiosk any more: pair it again.');
    }
    // For the log, even if the request is refused.
    request.caller = { kind: 'kiosk', kiosk };
    if (kiosk.revokedAt !== null) {
      throttle.record({ caller: countedAddress(request.ip), key: token });
      throw refused('kiosk_revoked', 'This kiosk was revoked: pair the tablet again.');
    }
  });
}
