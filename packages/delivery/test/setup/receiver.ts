import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A received request. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** A real HTTP receiver. `answer` ends the response, or leaves it open. */
export async function startReceiver(
  answer: (received: Received, response: ServerResponse) => void | Promise<void> = (_, response) => {
    response.end('{"success":true}');
  },
) {
  const received: Received[] = [];
  const changes = new Set<() => void>();
  let current = answer;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        startedAt: performance.now(),
      };
      received.push(one);
      for (const change of changes) change();
      void current(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith(next: typeof answer) {
      current = next;
    },
    /** Resolves once this many requests have arrived. */
    async count(expected: number): Promise<Received[]> {
      while (received.length < expected) {
        await new Promise<void>((resolve) => {
          const change = () => {
            changes.delete(change);
            resolve();
          };
          changes.add(change);
        });
      }
      return received;
    },
  };
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  (_: Received, response: ServerResponse): void => {
    response.writeHead(code, headers).end(body);
  };
