import {
  createConnectionCache,
  type Endpoint,
  type Outbound,
  type RawAnswer,
  retryAfterMsOf,
} from '@waiver-service/outbound';
import type { WebhookEndpoint } from '@waiver-service/store';
import { retryOfStatus } from './outcome-of.ts';
import type { Accepted, Sender } from './send-result.ts';
import { createSigner, endpointHeaders, type SignAttempt } from './webhook-headers.ts';

export interface WebhookSenderOptions {
  readonly outbound: Pick<Outbound, 'endpoint'>;
  /** Reads the current endpoint. The result is cached until the endpoint changes, for seconds at most. */
  readonly endpointOf: (
    destination: string,
  ) => Promise<Pick<WebhookEndpoint, 'url' | 'auth' | 'signingSecrets'> | undefined>;
}

/** An endpoint that is ready for requests. */
interface Connection {
  readonly endpoint: Endpoint;
  /** Absent if the endpoint has no signing secret. */
  readonly sign: SignAttempt | undefined;
}

const gone = 410;

// A class, because object literals with a getter take twenty times as long to create.
class AcceptedWebhook implements Accepted {
  readonly outcome = 'accepted';
  readonly status: number;
  readonly durationMs: number;
  readonly #answer: RawAnswer;

  constructor(answer: RawAnswer) {
    this.status = answer.status;
    this.durationMs = answer.durationMs;
    this.#answer = answer;
  }

  get response(): string {
    return this.#answer.excerpt;
  }
}

/** Creates the sender of guest webhooks (contract 4.3). Every 2xx is a success. */
export function createWebhookSender({ outbound, endpointOf }: WebhookSenderOptions): Sender {
  const connectionFor = createConnectionCache(async (destination): Promise<Connection> => {
    const webhook = await endpointOf(destination);
    if (webhook === undefined) throw new Error(`destination ${destination} has no webhook endpoint`);
    const { url, signingSecrets } = webhook;
    return {
      endpoint: outbound.endpoint({ url, headers: endpointHeaders(webhook) }),
      sign: signingSecrets.length > 0 ? createSigner(signingSecrets) : undefined,
    };
  });
  return async (message, signal) => {
    const { endpoint, sign } = await connectionFor(message);
    const { body } = message;
    const headers = sign?.(message, new Date());
    const answer = await endpoint.post({ body, headers, signal });
    const { status, durationMs } = answer;
    if (status >= 200 && status < 300) return new AcceptedWebhook(answer);
    return {
      outcome: 'refused',
      status,
      durationMs,
      response: answer.excerpt,
      errorCode: 'http_status',
      retry: retryOfStatus(status),
      gone: status === gone,
      retryAfterMs: retryAfterMsOf(answer.headers, new Date()),
    };
  };
}
