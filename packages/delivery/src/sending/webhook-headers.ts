import type { WebhookEndpoint } from '@waiver-service/store';
import { Webhook } from 'standardwebhooks';

function authorization(auth: WebhookEndpoint['auth']): Record<string, string> {
  if (auth.type === 'header') return { [auth.name]: auth.value };
  if (auth.type === 'none') return {};
  const credentials = Buffer.from(`${auth.username}:${auth.password}`, 'utf8').toString('base64');
  return { Authorization: `Basic ${credentials}` };
}

/** Standard Webhooks: one signature per secret, so that a receiver may change its secret in its own time. */
function signatures(secrets: readonly string[], id: string, body: string, now: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

type Headers = Readonly<Record<string, string>>;

// The same object for the same endpoint: what else follows from headers is found once, too.
const unsignedHeaders = new WeakMap<object, Headers>();

function unsignedHeadersOf(endpoint: Pick<WebhookEndpoint, 'auth'>): Headers {
  const kept = unsignedHeaders.get(endpoint);
  if (kept !== undefined) return kept;
  const headers = {
    ...authorization(endpoint.auth),
    'Cache-Control': 'no-cache',
    'Content-Type': 'application/json',
  };
  unsignedHeaders.set(endpoint, headers);
  return headers;
}

/**
 * The headers of one try to send a guest webhook (contract 4.3, 5). The id is the same at each try; timestamp and
 * signatures are of this one.
 */
export function webhookHeaders(
  endpoint: Pick<WebhookEndpoint, 'auth' | 'signingSecrets'>,
  message: { readonly id: string; readonly body: string },
  now: Date,
): Headers {
  const unsigned = unsignedHeadersOf(endpoint);
  if (endpoint.signingSecrets.length === 0) return unsigned;
  return { ...unsigned, ...signatures(endpoint.signingSecrets, message.id, message.body, now) };
}
