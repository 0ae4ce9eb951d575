import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { inPath } from '../callers/access.ts';
import type { HostApp } from './host-app.ts';

// Keys and tokens of this service: a prefix and 43 characters of base64url.
const ownSecret = /\bws[a-z]_[A-Za-z0-9_-]{16,}/g;
const credentialInUrl = /(\/\/)[^/\s:@]*:[^/\s@]*@/g;
const keyInQuery = /([?&](?:api-?)?key=)[^&\s"]+/gi;
const credentialHeader = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g;

/** Redacts everything in a text that looks like a secret. */
export function scrubSecrets(text: string): string {
  return text
    .replace(ownSecret, '[redacted]')
    .replace(credentialInUrl, '$1[redacted]@')
    .replace(keyInQuery, '$1[redacted]')
    .replace(credentialHeader, '$1 [redacted]');
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error response, for the log line. */
    problemCode: string | null;
    /** The trace that the request is in, if it is sampled. */
    traceId: string | null;
  }
}

// The query parameters that are useful in a log. Any other value may be a key, whatever its name, or a guest's data:
// searches and their cursors contain names.
const shownParameters = new Set([
  'bookingSystem',
  'bookingId',
  'updatedSince',
  'since',
  'until',
  'pool',
  'kind',
  'state',
  'order',
  'destination',
  'waiverId',
  'errorCode',
  'status',
  'window',
  'limit',
]);

// The `state` of a visit to an authorization or sign-in page is a secret, and so is the `code`.
const withSecretQuery = /^\/(?:integration\/authorize|console\/sign-in)(?:\/|$)/;

// Anyone who has this token can unsubscribe the guest.
const tokenInPath = /^(\/unsubscribe\/[^/]*\/).+/;

/** A request's path and query without values that could be a key or a token. */
export function loggableUrl(url: string): string {
  const [full = '', query] = url.split(/\?(.*)/s);
  const path = full.replace(tokenInPath, '$1[redacted]');
  if (query === undefined) return scrubSecrets(path);
  if (withSecretQuery.test(path)) return scrubSecrets(`${path}?[redacted]`);
  const shown = query.split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/s);
    return value === undefined || shownParameters.has(name) ? part : `${name}=[redacted]`;
  });
  return scrubSecrets(`${path}?${shown.join('&')}`);
}

// The maximum length of a pool's id.
const maxPoolLength = 128;

/** The pool that a request is about, if it has a caller: without one, the path may contain anything. */
export function poolOfRequest(request: FastifyRequest): string | undefined {
  const { caller } = request;
  if (!caller) return undefined;
  return caller.pool ?? (scrubSecrets(inPath(request, 'pool') ?? '').slice(0, maxPoolLength) || undefined);
}

function logRequest(log: FastifyBaseLogger, request: FastifyRequest, reply: FastifyReply, ip: string): void {
  const { id, method, url, routeOptions, caller, problemCode, traceId } = request;
  // The client closed the connection before the response was complete.
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
      actor: caller?.actor,
      pool: poolOfRequest(request),
      code: problemCode ?? undefined,
      traceId: traceId ?? undefined,
    },
    `request ${outcome}`,
  );
}

/** Logs one line per request, when it was answered or aborted. */
export function logRequests(app: HostApp): void {
  app.decorateRequest('problemCode', null);
  app.decorateRequest('traceId', null);
  // All fields are set here and contain no secret, so the line needs no redaction.
  const log = app.log.child({}, { redact: [] });
  // Fastify calls `onResponse` for answered requests only.
  app.addHook('onRequest', (request, reply, done) => {
    // Read now: a closed connection has no address.
    const { ip } = request;
    reply.raw.once('close', () => logRequest(log, request, reply, ip));
    done();
  });
}
