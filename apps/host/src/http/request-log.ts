import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostApp } from './host-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was not answered as it asked; in its log line. */
    problemCode: string | null;
  }
}

/** A request's path and query as logs may show it: an app pool key in the query is not. */
export function loggableUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  if (query === undefined) return path;
  const shown = query
    .split('&')
    .map((part) => {
      const [name = ''] = part.split('=', 1);
      return decodedName(name) === 'key' ? `${name}=[redacted]` : part;
    })
    .join('&');
  return `${path}?${shown}`;
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}

function logRequest(request: FastifyRequest, reply: FastifyReply, outcome: 'answered' | 'aborted'): void {
  const { method, url, routeOptions, ip, caller, problemCode } = request;
  request.log.info(
    {
      method,
      path: loggableUrl(url).slice(0, 2048),
      route: routeOptions.url,
      status: outcome === 'answered' ? reply.statusCode : undefined,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      remoteAddress: ip,
      caller: caller?.kind,
      pool: caller?.kind === 'pool' ? caller.pool : undefined,
      code: problemCode ?? undefined,
    },
    `request ${outcome}`,
  );
}

/** Writes one line for each request, when it has been answered or given up. */
export function logRequests(app: HostApp): void {
  app.decorateRequest('problemCode', null);
  app.addHook('onResponse', async (request, reply) => {
    // A caller that went away before the answer was whole.
    logRequest(request, reply, reply.raw.writableFinished ? 'answered' : 'aborted');
  });
}
