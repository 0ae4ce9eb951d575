import { type Outbound, parseRetryAfter } from '@waiver-service/outbound';
import type { WebhookEndpoint } from '@waiver-service/store';
import type { Sender } from './send-result.ts';
import { retryAfterStatus } from './status-retry.ts';
import { webhookHeaders } from './webhook-headers.ts';

/** What a {@link createWebhookSender} is made with. */
export interface WebhookSenderOptions {
  readonly outbound: Pick<Outbound, 'send'>;
  /** The endpoint as it is set at this moment: a changed address or secret counts from the next try on. */
  readonly endpointOf: (destination: string) => Promise<WebhookEndpoint | undefined>;
}

const gone = 410;

/** Makes the sender of guest webhooks (contract 4.3). Every 2xx is a success. */
export function createWebhookSender({ outbound, endpointOf }: WebhookSenderOptions): Sender {
  return async (message, signal) => {
    const endpoint = await endpointOf(message.destination);
    if (endpoint === undefined) throw new Error(`destination ${message.destination} has no webhook endpoint`);
    const headers = webhookHeaders(endpoint, message, new Date());
    const answer = await outbound.send({
      method: 'POST',
      url: endpoint.url,
      headers,
      body: message.body,
      signal,
    });
    const { status, excerpt, durationMs } = answer;
    const answered = { status, response: excerpt, durationMs };
    if (status >= 200 && status < 300) return { ...answered, outcome: 'accepted', retry: 'schedule' };
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], new Date());
    return {
      ...answered,
      outcome: 'refused',
      errorCode: 'http_status',
      retry: retryAfterStatus(status),
      gone: status === gone,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  };
}
