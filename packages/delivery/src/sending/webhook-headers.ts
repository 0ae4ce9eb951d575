import { createHmac, createSecretKey } from 'node:crypto';
import type { WebhookEndpoint } from '@waiver-service/store';

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

const secretPrefix = 'whsec_';

const keyOf = (secret: string) =>
  createSecretKey(
    Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64'),
  );

/** The headers that sign one attempt. */
export type SignAttempt = (
  message: { readonly id: string; readonly body: string },
  now: Date,
) => Readonly<Record<string, string>>;

/**
 * Prepares the signatures of an endpoint, by Standard Webhooks: the id is the same for all attempts, timestamp and
 * signatures are new. One signature per secret, so that a receiver can change its secret at any time.
 */
export function createSigner(secrets: readonly string[]): SignAttempt {
  const keys = secrets.map(keyOf);
  return ({ id, body }, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const signed = `${id}.${timestamp}.${body}`;
    const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  };
}
