import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as received, nothing decoded. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** The response to send; a text body is sent as it is. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A booking system over real HTTP that records requests and sends the response that it was given. */
export async function startRecordingServer() {
  const requests: RecordedRequest[] = [];
  let answer: Answer = {};
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      requests.push({ method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer.status ?? 200, { ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
    });
  });
  // Never closes an idle connection: a client that was paused for seconds could otherwise write to a connection that is
  // just being closed, which leaves the request in doubt.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/partner/api`,
    willAnswer(next: Answer) {
      answer = next;
    },
    /** The one request that was made since the last call. */
    takeRequest(): RecordedRequest {
      const [request, ...others] = requests.splice(0);
      if (!request || others.length > 0)
        throw new Error(`${others.length + (request ? 1 : 0)} requests came, not one`);
      return request;
    },
    takeAll: () => requests.splice(0),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type RecordingServer = Awaited<ReturnType<typeof startRecordingServer>>;
