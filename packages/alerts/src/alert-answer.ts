import type { alertSchema } from '@waiver-service/api';
import { type Caller, HttpProblem, isAtLeast, personOf } from '@waiver-service/http';
import { shownAuth } from '@waiver-service/integration';
import type { z } from 'zod';
import type { Alert } from './data/alerts.ts';

/** A chat webhook's URL is its secret: viewers see only the origin. */
function shownUrl(url: string, caller: Caller | null): string {
  return isAtLeast(personOf(caller).role, 'operator') ? url : `${new URL(url).origin}/…`;
}

function targetAnswer({ target }: Alert, caller: Caller | null) {
  if (target.kind === 'email') return { email: target.email };
  const { url, auth, signingSecrets } = target;
  return { url: shownUrl(url, caller), auth: shownAuth(auth), signing: signingSecrets.length > 0 };
}

export function alertAnswer(alert: Alert, caller: Caller | null): z.input<typeof alertSchema> {
  const { target: _, events, pools, destinationId: destination, ...rest } = alert;
  return {
    ...rest,
    ...targetAnswer(alert, caller),
    events: [...events],
    pools: pools && [...pools],
    destination,
  };
}

export const alertNotFound = () => new HttpProblem(404, 'alert_not_found', 'There is no alert with this id.');
