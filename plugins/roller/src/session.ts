import { type BookingSystemSession, RateLimited } from '@waiver-service/core';
import { type NoSettings, sessionOfTokenAnswer } from '@waiver-service/plugin-kit';
import type { Account } from './account.ts';
import { coolingOffMs, displayName } from './answers.ts';
import { withJson } from './requests.ts';

/**
 * ROLLER's client credentials, in a JSON body without a `grant_type`. ROLLER suspends keys that request too many
 * tokens, each of which is valid for a day.
 */
export const session: BookingSystemSession<NoSettings, Account> = {
  grant: 'client-credentials',
  async renew(context) {
    const { clientId, apiKey } = context.account;
    const credentials = JSON.stringify({ client_id: clientId, client_secret: apiKey });
    const response = await context.http.post('token', credentials, withJson);
    if (response.status === 429) {
      throw new RateLimited(`${displayName} gives no more tokens for now (status 429): try again later`, {
        upstreamStatus: 429,
        outboundErrorCode: 'http_status',
        retryAfterMs: coolingOffMs,
      });
    }
    return sessionOfTokenAnswer(response, context);
  },
};
