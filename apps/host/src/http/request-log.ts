import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { scrubSecrets } from '../logging/secret-scrubbing.ts';
import type { HostApp } from './host-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was not answered as it asked; in its log line. */
    problemCode: string | null;
  }
}

// Of our own parameters, those that help to read a log. The value of any other may be a key, whatever its name is.
const shownParameters = new Set([
  'bookingSystem',
  'bookingId',
  'updatedSince',
  'since',
  'until',
  'pool',
  'kind',
  'state',
  'destination',
  'waiverId',
  'cursor',
  'limit',
]);

/** A request's path and query as logs may show it: no value that could be a key or a token. */
export function loggableUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  if (query === undefined) return scrubSecrets(path);
  const shown = query.split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/s);
    return value === undefined || shownParameters.has(name) ? part : `${name}=[redacted]`;
  });
  return scrubSecrets(`${path}?${shown.join('&')}`);
}

function logRequest(log: FastifyBaseLogger, request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, url, routeOptions, ip, caller, problemCode } = request;
  // A caller that went away before the answer was whole.
  const outcome = reply.raw.writableFinished ? 'answered' : 'aborted';
  log.info(
    {
      requestId: id,
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
  // Each of its fields is made here and none holds a secret: there is nothing to look for in every line.
  const log = app.log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(log, request, reply);
    done();
  });
}
