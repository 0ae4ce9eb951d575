import type { WebhookEndpoint } from '@waiver-service/store';
import { Webhook } from 'standardwebhooks';

function authorization(auth: WebhookEndpoint['auth']): Record<string, string> {
  if (auth.type === 'header') return { [auth.name]: auth.value };
  if (auth.type === 'none') return {};
  const credentials = Buffer.from(`${auth.username}:${auth.password}`, 'utf8').toString('base64');
  return { Authorization: `Basic ${credentials}` };
}

/** The headers of every request to an endpoint (contract 4.3, 5). */
export const endpointHeaders = ({
  auth,
}: Pick<WebhookEndpoint, 'auth'>): Readonly<Record<string, string>> => ({
  ...authorization(auth),
  'Cache-Control': 'no-cache',
  'Content-Type': 'application/json',
});

/**
 * The headers of one attempt, by Standard Webhooks: the id is the same for all attempts, timestamp and signatures are
 * new. One signature per secret, so that a receiver can change its secret at any time.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, body }: { readonly id: string; readonly body: string },
  now: Date,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
