import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HostApp } from '../http/host-app.ts';

/**
 * Makes the handler that answers the OpenAPI document. It is written as text once, since anyone may ask for it, however
 * often; who has it already is answered 304.
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
