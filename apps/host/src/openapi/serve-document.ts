import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostApp } from '../http/host-app.ts';

/**
 * Creates the handler that serves the OpenAPI document. Serializes it once, because anyone may request it, however
 * often, and returns 304 to clients that have it.
 */
export function serveDocument(app: HostApp) {
  let written: { readonly text: string; readonly etag: string } | undefined;
  const document = () => {
    if (written === undefined) {
      const text = JSON.stringify(app.swagger());
      written = { text, etag: `"${hash('sha256', text, 'base64url')}"` };
    }
    return written;
  };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { text, etag } = document();
    reply.headers({ etag, 'cache-control': 'public, max-age=60' });
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    if (known?.includes(etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  };
}
