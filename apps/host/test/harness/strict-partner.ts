import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A booking system and receivers in one, each of which refuses every secret but those it takes at the moment. */
export interface StrictPartner {
  readonly url: string;
  /** The keys that it takes at `/system`, of which every call has one. */
  readonly accountKeys: Set<string>;
  /** The secrets that it takes elsewhere in `X-Secret`. */
  readonly headers: Set<string>;
  /** One of which has to have signed each message, by path. */
  readonly signingSecrets: Map<string, readonly string[]>;
  /** The paths of the calls that it took. */
  readonly taken: string[];
  /** The paths of the calls that it refused. */
  readonly refused: string[];
  close(): Promise<void>;
}

const booking = { id: 'B-1', status: 'confirmed', pax: 2, bookedSessions: [], guests: [] };

function isSigned({ headers }: IncomingMessage, body: Buffer, secrets: readonly string[]): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const given = String(headers['webhook-signature']).split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return given.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  });
}

/** Starts one on a loopback port. */
export async function startStrictPartner(): Promise<StrictPartner> {
  const accountKeys = new Set<string>();
  const headers = new Set<string>();
  const signingSecrets = new Map<string, readonly string[]>();
  const taken: string[] = [];
  const refused: string[] = [];
  const isRight = (request: IncomingMessage, path: string, body: Buffer) =>
    path === '/system'
      ? accountKeys.has(String(request.headers['api-key']))
      : headers.has(String(request.headers['x-secret'])) &&
        isSigned(request, body, signingSecrets.get(path) ?? []);
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = `/${request.url?.split(/[/?]/)[1]}`;
    const right = isRight(request, path, body);
    (right ? taken : refused).push(path);
    response.writeHead(right ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'GET' ? booking : { success: right }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the partner has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    accountKeys,
    headers,
    signingSecrets,
    taken,
    refused,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
