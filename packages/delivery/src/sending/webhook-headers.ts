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
  if (secrets.length === 0) return {};
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

/**
 * The headers of one try to send a guest webhook (contract 4.3, 5). The id is the same at each try; timestamp and
 * signatures are of this one.
 */
export function webhookHeaders(
  { auth, signingSecrets }: Pick<WebhookEndpoint, 'auth' | 'signingSecrets'>,
  message: { readonly id: string; readonly body: string },
  now: Date,
): Record<string, string> {
  return {
    ...authorization(auth),
    'Cache-Control': 'no-cache',
    'Content-Type': 'application/json',
    ...signatures(signingSecrets, message.id, message.body, now),
  };
}
