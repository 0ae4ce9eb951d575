import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request on its way to the booking system. */
export interface PassingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer on its way back. */
export interface PassingAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One fault, planted between the check and a good booking system. */
export interface Tampering {
  request?(request: PassingRequest): Partial<PassingRequest>;
  answer?(answer: PassingAnswer, request: PassingRequest): PassingAnswer | 'reset' | 'hang';
}

async function bodyOf(message: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['api-key', 'content-type'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

/** Starts a proxy before `target` that plants a fault. */
export async function startTamperingProxy(target: string, tampering: Tampering) {
  async function passOn(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = message;
    const incoming = { method, path, headers, body: await bodyOf(message) };
    const request = { ...incoming, ...tampering.request?.(incoming) };
    const upstream = await fetch(`${target}${request.path}`, {
      method: request.method,
      headers: passedOn(request.headers),
      body: request.method === 'GET' ? null : request.body,
    });
    const good: PassingAnswer = { status: upstream.status, body: await upstream.text() };
    const answer = tampering.answer?.(good, incoming) ?? good;
    if (answer === 'hang') return;
    if (answer === 'reset') message.socket.resetAndDestroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }
  const server: Server = createServer((message, response) => {
    // The check has given up, and the booking system is closed.
    passOn(message, response).catch(() => message.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
