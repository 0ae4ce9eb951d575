import { createHmac, createSecretKey } from 'node:crypto';
import {
  createConnectionCache,
  type Endpoint,
  type Outbound,
  type RawAnswer,
  retryAfterMsOf,
} from '@waiver-service/outbound';
import type { WebhookEndpoint } from '@waiver-service/store';
import { type Accepted, retryOfStatus, type Sender } from './send-result.ts';

function authorization(auth: WebhookEndpoint['auth']): Record<string, string> {
  if (auth.type === 'header') return { [auth.name]: auth.value };
  if (auth.type === 'none') return {};
  const credentials = Buffer.from(`${auth.username}:${auth.password}`, 'utf8').toString('base64');
  return { Authorization: `Basic ${credentials}` };
}

/** The headers of every request to an endpoint (contract 4.3, 5). */
const endpointHeaders = ({ auth }: Pick<WebhookEndpoint, 'auth'>): Readonly<Record<string, string>> => ({
  ...authorization(auth),
  'Cache-Control': 'no-cache',
  'Content-Type': 'application/json',
});

const secretPrefix = 'whsec_';

const keyOf = (secret: string) =>
  createSecretKey(
    Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64'),
  );

/** The headers that sign one attempt. */
type SignAttempt = (
  message: { readonly id: string; readonly body: string },
  now: Date,
) => Readonly<Record<string, string>>;

/**
 * Prepares the signatures of an endpoint, by Standard Webhooks: the id is the same for all attempts, timestamp and
 * signatures are new. One signature per secret, so that a receiver can change its secret at any time.
 */
function createSigner(secrets: readonly string[]): SignAttempt {
  const keys = secrets.map(keyOf);
  return ({ id, body }, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const signed = `${id}.${timestamp}.${body}`;
    const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  };
}

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
