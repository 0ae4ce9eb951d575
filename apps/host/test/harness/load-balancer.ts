import { once } from 'node:events';
import { Agent, createServer, request as sendRequest } from 'node:http';
import { listenLocally } from '@waiver-service/testing';

/** Sends requests to the hosts that say they are ready, as the load balancer in front of them does. */
export interface LoadBalancer {
  readonly url: string;
  add(hostUrl: string): void;
  remove(hostUrl: string): void;
  /** Whether a host receives requests. */
  sendsTo(hostUrl: string): boolean;
  close(): Promise<void>;
}

const checkEveryMs = 100;

/** Starts one that reuses its connections, asks each host's `/readyz` ten times a second, and never sends again. */
export async function startLoadBalancer(): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true });
  const added = new Set<string>();
  const ready = new Set<string>();
  let turn = 0;

  const server = createServer((request, response) => {
    const [first] = ready;
    const host = [...ready][turn % Math.max(1, ready.size)] ?? first;
    turn += 1;
    if (host === undefined) return void response.writeHead(502).end('no host is ready');
    const { method, url = '/', headers } = request;
    const onward = sendRequest(new URL(url, host), { agent, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' });
      answer.pipe(response);
    });
    onward.on('error', ({ message }) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(message);
    });
    request.pipe(onward);
  });

  const check = async (host: string) => {
    const answer = await fetch(`${host}/readyz`).catch(() => undefined);
    if (answer?.status === 200 && added.has(host)) ready.add(host);
    else ready.delete(host);
  };
  const timer = setInterval(() => void [...added].map(check), checkEveryMs);

  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    add: (host) => void added.add(host),
    remove(host) {
      added.delete(host);
      ready.delete(host);
    },
    sendsTo: (host) => ready.has(host),
    async close() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
