import { type Outbound, retryAfterMsOf } from '@waiver-service/outbound';
import type { WebhookEndpoint } from '@waiver-service/store';
import { keepSettings } from './keep-settings.ts';
import type { Sender } from './send-result.ts';
import { retryAfterStatus } from './status-retry.ts';
import { webhookHeaders } from './webhook-headers.ts';

/** What a {@link createWebhookSender} is made with. */
export interface WebhookSenderOptions {
  readonly outbound: Pick<Outbound, 'send'>;
  /** The endpoint as it is set at this moment. What it gives is kept until the endpoint changes, for seconds at most. */
  readonly endpointOf: (destination: string) => Promise<WebhookEndpoint | undefined>;
}

const gone = 410;

/** Makes the sender of guest webhooks (contract 4.3). Every 2xx is a success. */
export function createWebhookSender({ outbound, endpointOf }: WebhookSenderOptions): Sender {
  const endpointFor = keepSettings(endpointOf);
  return async (message, signal) => {
    const endpoint = await endpointFor(message);
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
    if (status >= 200 && status < 300) return { ...answered, outcome: 'accepted' };
    const retryAfterMs = retryAfterMsOf(answer.headers, new Date());
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
