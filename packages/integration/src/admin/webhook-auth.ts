import type { shownAuthSchema, webhookAuthSchema } from '@waiver-service/api';
import { malformed } from '@waiver-service/http';
import { CredentialsNeeded } from '@waiver-service/store';
import type { z } from 'zod';

export type WebhookAuth = z.infer<typeof webhookAuthSchema>;

export function shownAuth(auth: WebhookAuth): z.infer<typeof shownAuthSchema> {
  return auth.type === 'header' ? { type: auth.type, name: auth.name } : { type: auth.type };
}

/**
 * Awaits a change of an address.
 * @throws HttpProblem 400 that names `auth` if the credentials must be given again
 */
export async function changedOrProblem<Changed>(change: Promise<Changed>): Promise<Changed> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof CredentialsNeeded) throw malformed([{ path: 'auth', message: error.message }]);
    throw error;
  }
}
