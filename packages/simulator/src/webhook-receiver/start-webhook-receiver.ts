import type { IncomingHttpHeaders } from 'node:http';
import { type RecordingServer, startRecordingServer } from '../http/recording-server.ts';

/** The authentication that a receiver requires (contract 5). */
export type ReceiverAuth =
  | { readonly type: 'none' }
  | { readonly type: 'header'; readonly name: string; readonly value: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

export interface WebhookReceiverOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly auth?: ReceiverAuth;
}

/** A webhook receiver over real HTTP. It accepts webhooks at any path. */
export type SimulatedWebhookReceiver = RecordingServer<'webhook'>;

/** Starts a webhook receiver on 127.0.0.1 (contract 4.3). */
export async function startWebhookReceiver({
  port,
  auth = { type: 'none' },
}: WebhookReceiverOptions = {}): Promise<SimulatedWebhookReceiver> {
  const server = await startRecordingServer<'webhook'>({
    port,
    routeOf: (method) => (method === 'POST' ? 'webhook' : 'other'),
    answer({ route, headers }) {
      if (route === 'other') return { status: 405, body: { success: false, message: 'POST only' } };
      if (!isAuthentic(headers, auth))
        return { status: 401, body: { success: false, message: 'who is it?' } };
      return { status: 200, body: { success: true } };
    },
  });
  return { ...server, url: `${server.url}/webhook` };
}

function isAuthentic(headers: IncomingHttpHeaders, auth: ReceiverAuth): boolean {
  if (auth.type === 'header') return headers[auth.name.toLowerCase()] === auth.value;
  if (auth.type === 'none') return true;
  const credentials = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
  return headers.authorization === `Basic ${credentials}`;
}
