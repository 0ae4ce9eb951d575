import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostApp } from './host-app.ts';

/**
 * Calls `run` for each request, to routes added later, whose caller closes the connection before the response is
 * complete. Fastify calls `onResponse` only for the others.
 */
export function whenAborted(app: HostApp, run: (request: FastifyRequest, reply: FastifyReply) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) run(request, reply);
    });
    done();
  });
}

/**
 * Aborts when the caller closes the connection before the response is complete. Fastify's `request.signal` aborts once a
 * body was read to its end, too, and not at all if that was before it was asked for.
 */
export function callerSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) left.abort();
  };
  if (raw.closed) onClose();
  else raw.once('close', onClose);
  return left.signal;
}
